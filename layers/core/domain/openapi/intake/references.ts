import type { Finding } from '../../refusal.ts';
import { isObject, type Json, type JsonObject, resolve, target } from '../document.ts';
import { finding, type Warnings } from './findings.ts';
import type { Kind } from './grammar.ts';

export interface Reference {
  readonly node: JsonObject;
  readonly ref: string;
  readonly kind: Kind;
  readonly pointer: string;
  /** Pointer of the schema that a `#` in it may mean: the nearest with an `$id`, or the outermost. */
  readonly scope: string;
}

/** Names that schemas give themselves, with the pointers of the schemas. */
export interface Names {
  readonly anchors: Map<string, string>;
  readonly ids: Map<string, string>;
}

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
  warnings: Warnings,
): string | 'external' | Finding => {
  const { node, ref, kind, pointer } = reference;
  const settled = landing(root, reference, names);
  if (settled === 'external') return settled;
  if (settled === undefined) {
    return finding(
      pointer,
      `refers to ${JSON.stringify(ref)}, where nothing is`,
      'Correct the reference, or add what it refers to.',
    );
  }
  if (settled !== ref) (node as Record<string, Json>)['$ref'] = settled;
  const end = target(root, node);
  if (end === undefined) {
    const what = `refers to ${JSON.stringify(ref)}, which only leads on and on`;
    const mend = 'Let the last reference point at a definition.';
    // A schema that is nothing but itself allows everything (D29: circles are no error).
    if (kind !== 'schema') return finding(pointer, what, mend);
    warnings.add(pointer, `${what}; taken for any value`, mend);
  } else if (!isObject(end) && !(kind === 'schema' && typeof end === 'boolean')) {
    return finding(
      pointer,
      `refers to ${JSON.stringify(ref)}, which is no ${kind} object`,
      'Correct the reference.',
    );
  }
  return settled;
};

const landing = (
  root: JsonObject,
  { ref, kind, scope }: Reference,
  { anchors, ids }: Names,
): string | undefined => {
  const hash = ref.indexOf('#');
  const id = hash === -1 ? ref : ref.slice(0, hash);
  const fragment = hash === -1 ? '' : ref.slice(hash + 1);

  if (id !== '') {
    const base = ids.get(id);
    return base === undefined ? 'external' : within(root, base, fragment, anchors);
  }
  // An empty reference (`$ref: ''`) is the document itself, as `#` is, and so is no schema.
  if (fragment === '' && kind === 'schema') return `#${scope}`;
  return within(root, '', fragment, anchors) ?? within(root, scope, fragment, anchors);
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
