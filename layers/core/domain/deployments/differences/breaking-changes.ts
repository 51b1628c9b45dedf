import { unescapeToken } from '../../json-schema/pointer.ts';
type Schema = Readonly<Record<string, unknown>>;

/** Two schemas, each with the definitions that its references lead into. */
interface Pair {
  readonly before: Schema;
  readonly after: Schema;
  readonly seen: Set<string>;
}

const MOST = 50;
const DEEPEST = 32;
/** What says nothing of which values are accepted. */
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

/**
 * Where a tool's arguments accept less than before, in words. Where one cannot tell, they are said to:
 * a warning too many is better than a caller that breaks.
 *
 * @param before - the earlier `inputSchema`, `after` the later one
 */
export const breakingChanges = (before: unknown, after: unknown): readonly string[] => {
  const found: string[] = [];
  const pair = { before: objectIn(before), after: objectIn(after), seen: new Set<string>() };
  compare(pair, pair.before, pair.after, '', 0, (text) => {
    if (found.length < MOST) found.push(text);
  });
  return found;
};

type Report = (text: string) => void;

const compare = (
  pair: Pair,
  oldOne: unknown,
  newOne: unknown,
  path: string,
  depth: number,
  report: Report,
): void => {
  const visit = JSON.stringify([refOf(oldOne), refOf(newOne), path.length > 200 ? '' : path]);
  if (depth > DEEPEST || (refOf(oldOne) !== '' && pair.seen.has(visit))) return;
  pair.seen.add(visit);
  const before = opened(pair.before, oldOne);
  const after = opened(pair.after, newOne);
  const named = path === '' ? 'the arguments' : `argument ${path}`;

  if (!isSuperset(typesOf(after), typesOf(before))) report(`${named} takes fewer types of values`);
  if (!isSuperset(valuesOf(after), valuesOf(before))) report(`${named} takes fewer values`);
  for (const [keyword, isTighter] of BOUNDS) {
    if (isTighter(before[keyword], after[keyword]))
      report(`${named} is bounded more tightly (${keyword})`);
  }
  compareMembers(pair, before, after, path, depth, report);
  if ('items' in after)
    compare(pair, before['items'], after['items'], `${path}[]`, depth + 1, report);
  for (const keyword of Object.keys(after)) {
    if (KNOWN.has(keyword) || TEXTS.has(keyword)) continue;
    if (JSON.stringify(after[keyword]) !== JSON.stringify(before[keyword])) {
      report(`${named} has other rules (${keyword})`);
    }
  }
};

const compareMembers = (
  pair: Pair,
  before: Schema,
  after: Schema,
  path: string,
  depth: number,
  report: Report,
): void => {
  const [old, now] = [objectIn(before['properties']), objectIn(after['properties'])];
  const nameOf = (name: string) => (path === '' ? name : `${path}.${name}`);
  const wasRequired = new Set(listIn(before['required']));
  for (const name of listIn(after['required']).map(String)) {
    if (!wasRequired.has(name)) report(`argument ${nameOf(name)} is required`);
  }
  for (const [name, schema] of Object.entries(old)) {
    if (!Object.hasOwn(now, name)) report(`argument ${nameOf(name)} is gone`);
    else compare(pair, schema, now[name], nameOf(name), depth + 1, report);
  }
};

const tightenedDown = (before: unknown, after: unknown): boolean =>
  typeof after === 'number' && (typeof before !== 'number' || after < before);
const tightenedUp = (before: unknown, after: unknown): boolean =>
  typeof after === 'number' && (typeof before !== 'number' || after > before);
const changed = (before: unknown, after: unknown): boolean =>
  after !== undefined && JSON.stringify(before) !== JSON.stringify(after);

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

/** Undefined accepts everything. */
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

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Number.isInteger(value)) return 'integer';
  return Array.isArray(value) ? 'array' : typeof value;
};

const valuesOf = (schema: Schema): ReadonlySet<string> | undefined => {
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  return Array.isArray(values) ? new Set(values.map((value) => JSON.stringify(value))) : undefined;
};

const refOf = (schema: unknown): string => {
  const { $ref } = objectIn(schema);
  return typeof $ref === 'string' ? $ref : '';
};

/** With its reference's target in its place; references lead into `$defs` and nowhere else. */
const opened = (root: Schema, schema: unknown): Schema => {
  const ref = refOf(schema);
  if (!ref.startsWith('#/$defs/')) return objectIn(schema);
  const name = unescapeToken(ref.slice('#/$defs/'.length));
  return { ...objectIn(schema), ...objectIn(objectIn(root['$defs'])[name]), $ref: undefined };
};

const objectIn = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
