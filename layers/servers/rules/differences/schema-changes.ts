import { unescapeToken } from '../../../platform/rules/json/pointer.ts';
import { canonicalText, member } from '../../../platform/rules/json/json.ts';
import { listOf, objectOf } from '../../../platform/rules/json/members.ts';
import { shortened } from '../../../platform/rules/text.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Budget of a comparison: names, and characters of JSON. */
export interface Work {
  left: number;
}

/** About a second of work. */
export const FULL_WORK = 20_000_000;

const MOST = 50;
const LONGEST_PATH = 200;
/** Keywords that do not affect which values are valid. */
const TEXTS = new Set([
  'description',
  'title',
  'examples',
  'example',
  'default',
  'deprecated',
  '$comment',
  '$defs',
]);

/** A place where the new schema accepts less than the old one. */
export type Narrowing =
  | {
      readonly kind: 'gone' | 'unread';
      /** Path of the argument, such as `filter.kinds[]`; empty: all arguments. */
      readonly path: string;
    }
  | {
      readonly kind: 'required';
      readonly path: string;
      readonly wasThere: boolean;
    }
  | {
      /** `was` and `is` are undefined where everything is accepted. */
      readonly kind: 'types' | 'values';
      readonly path: string;
      readonly was: readonly string[] | undefined;
      readonly is: readonly string[] | undefined;
    }
  | {
      /** `bound`: a keyword that can be ordered; `rules`: any other. */
      readonly kind: 'bound' | 'rules';
      readonly path: string;
      readonly keyword: string;
      readonly was: unknown;
      readonly is: unknown;
    };

/**
 * Finds where a tool's new arguments accept less than its old ones. In doubt they do: a needless warning is better than
 * a broken caller. With the schemas swapped, finds where they accept more.
 *
 * Pairs of schemas with references are compared once, at their first place: recursive schemas have infinitely many
 * places.
 *
 * @param before - the earlier `inputSchema`, `after` the later one
 * @param work - budget, which the comparison reduces
 * @param met - called with each pair of schemas, references resolved
 */
export const narrowings = (
  before: unknown,
  after: unknown,
  work: Work,
  met: (pair: SchemaPair) => void = () => undefined,
): readonly Narrowing[] => {
  const [oldRoot, newRoot] = [objectOf(before), objectOf(after)];
  const found: Narrowing[] = [];
  const report: Report = (one) => {
    if (found.length < MOST) found.push(one);
  };
  const known = new Set<string>();
  const pairs: SchemaPair<unknown>[] = [{ before, after, path: '' }];
  for (const pair of pairs) {
    if (refOf(pair.before) !== '' && refOf(pair.after) !== '') {
      const referring = JSON.stringify([pair.before, pair.after].map(withoutTexts));
      work.left -= referring.length;
      if (known.has(referring)) continue;
      known.add(referring);
    }
    const opened = {
      before: withReferred(oldRoot, pair.before),
      after: withReferred(newRoot, pair.after),
      path: pair.path,
    };
    work.left -= sizeOf(opened.before) + sizeOf(opened.after);
    if (work.left < 0) return [...found, { kind: 'unread', path: '' }];
    met(opened);
    compare(opened, work, report);
    pairs.push(...members(opened, report));
  }
  return found;
};

export interface SchemaPair<Node = Schema> {
  readonly before: Node;
  readonly after: Node;
  readonly path: string;
}

type Report = (one: Narrowing) => void;

const compare = ({ before, after, path }: SchemaPair, work: Work, report: Report): void => {
  // An `enum` without `type` is compared by its values.
  if ('type' in after && !isSuperset(typesOf(after), typesOf(before))) {
    report({ kind: 'types', path, was: shownTypes(before), is: shownTypes(after) });
  }
  const [had, has] = [valuesOf(before), valuesOf(after)];
  if (!isSuperset(has, had)) {
    report({ kind: 'values', path, was: had && [...had], is: has && [...has] });
  }
  for (const [keyword, isTighter] of BOUNDS) {
    const [was, is] = [member(before, keyword), member(after, keyword)];
    if (isTighter(was, is)) report({ kind: 'bound', path, keyword, was, is });
  }
  for (const keyword of Object.keys(after)) {
    if (KNOWN.has(keyword) || TEXTS.has(keyword)) continue;
    const [was, is] = [member(before, keyword), member(after, keyword)];
    const [text = '', other = ''] = [was, is].map(valueText);
    work.left -= text.length + other.length;
    if (text !== other) report({ kind: 'rules', path, keyword, was, is });
  }
};

/** Pairs of subschemas that both sides have, to be compared next. */
const members = (
  { before, after, path }: SchemaPair,
  report: Report,
): readonly SchemaPair<unknown>[] => {
  const [old, now] = [objectOf(before['properties']), objectOf(after['properties'])];
  const placeOfArgument = (name: string) => placeOf(path === '' ? name : `${path}.${name}`);
  const wasRequired = new Set(listOf(before['required']));
  for (const name of listOf(after['required']).map(String)) {
    if (wasRequired.has(name)) continue;
    const wasThere = Object.hasOwn(old, name);
    report({ kind: 'required', path: placeOfArgument(name), wasThere });
  }
  const pairs = Object.entries(old).flatMap(([name, schema]): readonly SchemaPair<unknown>[] => {
    if (Object.hasOwn(now, name))
      return [{ before: schema, after: now[name], path: placeOfArgument(name) }];
    report({ kind: 'gone', path: placeOfArgument(name) });
    return [];
  });
  return 'items' in after
    ? [...pairs, { before: before['items'], after: after['items'], path: placeOf(`${path}[]`) }]
    : pairs;
};

const placeOf = (path: string): string => shortened(path, LONGEST_PATH);

const jsonText = (value: unknown): string => JSON.stringify(value) ?? '';

const valueText = (value: unknown): string =>
  typeof value === 'object' ? canonicalText(value) : jsonText(value);

/** Cost of a comparison. Values and patterns are compared by character, every time that a reference leads to them. */
const sizeOf = (schema: Schema): number =>
  Object.entries(schema).reduce<number>((sum, [keyword, value]) => {
    if (WRITTEN_OUT.has(keyword)) return sum + jsonText(value).length;
    return sum + (typeof value === 'object' ? Object.keys(value ?? {}).length : 0) + 1;
  }, 20);

const WRITTEN_OUT = new Set(['enum', 'const', 'pattern', 'format']);

const tightenedDown = (before: unknown, after: unknown): boolean =>
  typeof after === 'number' && (typeof before !== 'number' || after < before);
const tightenedUp = (before: unknown, after: unknown): boolean =>
  typeof after === 'number' && (typeof before !== 'number' || after > before);
const changed = (before: unknown, after: unknown): boolean =>
  after !== undefined && jsonText(before) !== jsonText(after);

const BOUNDS: readonly (readonly [string, (before: unknown, after: unknown) => boolean])[] = [
  ['maximum', tightenedDown],
  ['exclusiveMaximum', tightenedDown],
  ['maxLength', tightenedDown],
  ['maxItems', tightenedDown],
  ['maxProperties', tightenedDown],
  ['minimum', tightenedUp],
  ['exclusiveMinimum', tightenedUp],
  ['minLength', tightenedUp],
  ['minItems', tightenedUp],
  ['minProperties', tightenedUp],
  ['pattern', changed],
  ['format', changed],
];

const KNOWN = new Set([
  ...BOUNDS.map(([keyword]) => keyword),
  'type',
  'enum',
  'const',
  'properties',
  'required',
  'items',
  '$ref',
]);

const isSuperset = (
  wide: ReadonlySet<string> | undefined,
  narrow: ReadonlySet<string> | undefined,
): boolean =>
  wide === undefined || (narrow !== undefined && [...narrow].every((one) => wide.has(one)));

const typesOf = ({ type, enum: values }: Schema): ReadonlySet<string> | undefined => {
  if (type === undefined) return Array.isArray(values) ? new Set(values.map(typeOf)) : undefined;
  const types = new Set([type].flat().map(String));
  return types.has('number') ? types.add('integer') : types;
};

/** Types as they are shown: `number` implies `integer`. */
const shownTypes = (schema: Schema): readonly string[] | undefined => {
  const types = typesOf(schema);
  return types && [...types].filter((type) => type !== 'integer' || !types.has('number'));
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Number.isInteger(value)) return 'integer';
  return Array.isArray(value) ? 'array' : typeof value;
};

const valuesOf = (schema: Schema): ReadonlySet<string> | undefined => {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(values) ? new Set(values.map(valueText)) : undefined;
};

const refOf = (schema: unknown): string => {
  const { $ref } = objectOf(schema);
  return typeof $ref === 'string' ? $ref : '';
};

const withoutTexts = (schema: unknown): object =>
  Object.entries(objectOf(schema)).filter(([keyword]) => !TEXTS.has(keyword));

/** Resolves a reference, which can only lead into `$defs`. */
const withReferred = (root: Schema, schema: unknown): Schema => {
  const ref = refOf(schema);
  if (!ref.startsWith('#/$defs/')) return objectOf(schema);
  const name = unescapeToken(ref.slice('#/$defs/'.length));
  return {
    ...objectOf(schema),
    ...objectOf(member(objectOf(root['$defs']), name)),
    $ref: undefined,
  };
};
