import type { Finding } from '../../refusal.ts';
import { isObject, type Json, type JsonObject, MAX_HOPS, member, resolve } from '../document.ts';
import { finding, type Warnings } from './findings.ts';
import { type Kind, pointerOf, type Spot } from './grammar.ts';

export interface Reference {
  readonly node: JsonObject;
  readonly ref: string;
  readonly kind: Kind;
  readonly spot: Spot;
  /** Where the schema stands that a `#` in it may mean: the nearest with an `$id`, or the outermost. */
  readonly scope: Spot;
}

/** Names that schemas give themselves, with the pointers of the schemas. */
export interface Names {
  readonly anchors: Map<string, string>;
  /** Both as they are written and as they are resolved. */
  readonly ids: Map<string, string>;
  /** What relative references in a schema with an `$id` are resolved against, by where it stands. */
  readonly bases: Map<Spot, string>;
}

/** For descriptions that name no address of their own. */
const NOWHERE = 'http://relative.invalid/';

/** Remembers the name that a schema, or the document, gives itself. */
export const nameSchema = (id: string, spot: Spot, scope: Spot, { ids, bases }: Names): void => {
  const name = id.replace(/#.*$/s, '');
  const base = absolute(name, scope, bases);
  ids.set(name, pointerOf(spot));
  if (base === undefined) return;
  ids.set(base, pointerOf(spot));
  bases.set(spot, base);
};

/** Source: JSON Schema 2020-12 §8.2.1; RFC 3986 §5. */
const absolute = (id: string, scope: Spot, bases: Names['bases']): string | undefined =>
  URL.parse(id, bases.get(scope) ?? bases.get('') ?? NOWHERE)?.href;

/** What is wrong with references that point at nothing, by their node. */
export type Broken = ReadonlyMap<object, Finding>;

/**
 * Finds what a reference points at, and writes a pointer in the place of any other kind of reference
 * (`#anchor`, a schema's own `$id`), so that those who come later need to know pointers only.
 *
 * @returns the reference as a pointer (`#/...`), 'external', or what is wrong with it
 *
 * Source: JSON Schema 2020-12 §8.2; D32.
 */
export const settle = (
  root: JsonObject,
  reference: Reference,
  names: Names,
): string | 'external' | Finding => {
  const { node, ref, spot } = reference;
  const settled = landing(root, reference, names);
  if (settled === 'external') return settled;
  if (settled === undefined) {
    return finding(
      pointerOf(spot),
      `refers to ${JSON.stringify(ref)}, where nothing is`,
      'Correct the reference, or add what it refers to.',
    );
  }
  if (settled !== ref) (node as Record<string, Json>)['$ref'] = settled;
  return settled;
};

/** What is wrong with what references end at, once all are settled. */
export const endChecker = (
  root: JsonObject,
  warnings: Warnings,
): ((reference: Reference) => Finding | undefined) => {
  const endOf = endFinder(root);
  return ({ node, ref, kind, spot }) => {
    const end = endOf(String(member(node, '$ref')));
    if (end === undefined) {
      const what = `refers to ${JSON.stringify(ref)}, which only leads on and on`;
      const mend = 'Let the last reference point at a definition.';
      // A schema that is nothing but itself allows everything (D29: circles are no error).
      if (kind !== 'schema') return finding(pointerOf(spot), what, mend);
      warnings.add(pointerOf(spot), `${what}; taken for any value`, mend);
    } else if (!isObject(end) && !(kind === 'schema' && typeof end === 'boolean')) {
      return finding(
        pointerOf(spot),
        `refers to ${JSON.stringify(ref)}, which is no ${kind} object`,
        'Correct the reference.',
      );
    }
    return undefined;
  };
};

interface End {
  readonly node: Json | undefined;
  readonly hops: number;
}

const NEVER: End = { node: undefined, hops: Infinity };

/** Finds what references end at within `MAX_HOPS`. Each is followed once, so that long chains cost no more than short ones. */
const endFinder = (root: JsonObject): ((ref: string) => Json | undefined) => {
  const ends = new Map<string, End>();
  return (ref) => {
    const passed: string[] = [];
    let end: End | undefined;
    for (let at = ref; end === undefined;) {
      end = ends.get(at);
      if (end !== undefined) break;
      passed.push(at);
      // Whoever comes by again before its end is known goes round in a circle.
      ends.set(at, NEVER);
      const node = resolve(root, at);
      const next = isObject(node) ? member(node, '$ref') : undefined;
      if (typeof next === 'string') at = next;
      else end = { node, hops: 0 };
    }
    for (const at of passed.reverse()) {
      end = { node: end.node, hops: end.hops + 1 };
      ends.set(at, end);
    }
    return end.hops <= MAX_HOPS ? end.node : undefined;
  };
};

const landing = (
  root: JsonObject,
  { ref, kind, scope }: Reference,
  { anchors, ids, bases }: Names,
): string | undefined => {
  const hash = ref.indexOf('#');
  const id = hash === -1 ? ref : ref.slice(0, hash);
  const fragment = hash === -1 ? '' : ref.slice(hash + 1);

  if (id !== '') {
    const base = ids.get(id) ?? ids.get(absolute(id, scope, bases) ?? id);
    return base === undefined ? 'external' : within(root, base, fragment, anchors);
  }
  // An empty reference (`$ref: ''`) is the document itself, as `#` is, and so is no schema.
  if (fragment === '' && kind === 'schema') return `#${pointerOf(scope)}`;
  return within(root, '', fragment, anchors) ?? within(root, pointerOf(scope), fragment, anchors);
};

const within = (
  root: JsonObject,
  base: string,
  fragment: string,
  anchors: ReadonlyMap<string, string>,
): string | undefined => {
  const anchor = anchors.get(fragment);
  const settled =
    fragment === '' || fragment.startsWith('/')
      ? `#${base}${fragment}`
      : anchor !== undefined && `#${anchor}`;
  return settled !== false && resolve(root, settled) !== undefined ? settled : undefined;
};
