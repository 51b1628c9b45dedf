import { unescapeToken } from '../../../platform/rules/json/pointer.ts';
import { isObject, member } from '../../../platform/rules/json/json.ts';
import { outputSchema } from '../../../openapi/tool-index.ts';
import type { ToolOutput } from '../../../openapi/tool-output.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What comparing the tools of two versions may still cost: names, and characters of JSON. */
export interface Work {
  left: number;
}

/** About a second. */
export const fullWork = (): Work => ({ left: 20_000_000 });

const MOST = 50;
const LONGEST_PATH = 200;
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
 * Schemas that refer to each other are compared once, at the first place where they meet: their places are
 * without number, as with two properties of a node that are nodes themselves.
 *
 * @param before - the earlier `inputSchema`, `after` the later one
 * @param work - what this comparison takes is taken from it
 */
export const breakingChanges = (
  before: unknown,
  after: unknown,
  work: Work = fullWork(),
): readonly string[] => {
  const [oldRoot, newRoot] = [objectIn(before), objectIn(after)];
  const found: string[] = [];
  const report: Report = (text) => {
    if (found.length < MOST) found.push(text);
  };
  const met = new Set<string>();
  const pairs: Pair[] = [{ before, after, path: '' }];
  for (const pair of pairs) {
    if (refOf(pair.before) !== '' && refOf(pair.after) !== '') {
      const referring = JSON.stringify([pair.before, pair.after].map(withoutTexts));
      work.left -= referring.length;
      if (met.has(referring)) continue;
      met.add(referring);
    }
    const opened = {
      before: withReferred(oldRoot, pair.before),
      after: withReferred(newRoot, pair.after),
      path: pair.path,
    };
    work.left -= sizeOf(opened.before) + sizeOf(opened.after);
    if (work.left < 0) return [...found, 'the arguments are too large to be compared further'];
    compare(opened, work, report);
    pairs.push(...members(opened, report));
  }
  return found;
};

/** Two schemas at one place among the arguments. */
interface Pair<Node = unknown> {
  readonly before: Node;
  readonly after: Node;
  readonly path: string;
}

type Report = (text: string) => void;

const compare = ({ before, after, path }: Pair<Schema>, work: Work, report: Report): void => {
  const named = path === '' ? 'the arguments' : `argument ${path}`;
  if (!isSuperset(typesOf(after), typesOf(before))) report(`${named} takes fewer types of values`);
  if (!isSuperset(valuesOf(after), valuesOf(before))) report(`${named} takes fewer values`);
  for (const [keyword, isTighter] of BOUNDS) {
    if (isTighter(member(before, keyword), member(after, keyword)))
      report(`${named} is bounded more tightly (${keyword})`);
  }
  for (const keyword of Object.keys(after)) {
    if (KNOWN.has(keyword) || TEXTS.has(keyword)) continue;
    const [was = '', is = ''] = [member(before, keyword), member(after, keyword)].map(jsonText);
    work.left -= was.length + is.length;
    if (was !== is) report(`${named} has other rules (${keyword})`);
  }
};

/** What stands in both, to be compared as well. */
const members = ({ before, after, path }: Pair<Schema>, report: Report): readonly Pair[] => {
  const [old, now] = [objectIn(before['properties']), objectIn(after['properties'])];
  const placeOfArgument = (name: string) => placeOf(path === '' ? name : `${path}.${name}`);
  const wasRequired = new Set(listIn(before['required']));
  for (const name of listIn(after['required']).map(String)) {
    if (!wasRequired.has(name)) report(`argument ${placeOfArgument(name)} is required`);
  }
  const pairs = Object.entries(old).flatMap(([name, schema]): readonly Pair[] => {
    if (Object.hasOwn(now, name))
      return [{ before: schema, after: now[name], path: placeOfArgument(name) }];
    report(`argument ${placeOfArgument(name)} is gone`);
    return [];
  });
  return 'items' in after
    ? [...pairs, { before: before['items'], after: after['items'], path: placeOf(`${path}[]`) }]
    : pairs;
};

const placeOf = (path: string): string =>
  path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH).toWellFormed()}…` : path;

const jsonText = (value: unknown): string => JSON.stringify(value) ?? '';

/**
 * How much there is to look at in a schema, without what stands in its parts. Values and patterns are compared
 * letter by letter, each time that a reference leads to them.
 */
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

const withoutTexts = (schema: unknown): object =>
  Object.entries(objectIn(schema)).filter(([keyword]) => !TEXTS.has(keyword));

/** With its reference's target in its place; references lead into `$defs` and nowhere else. */
const withReferred = (root: Schema, schema: unknown): Schema => {
  const ref = refOf(schema);
  if (!ref.startsWith('#/$defs/')) return objectIn(schema);
  const name = unescapeToken(ref.slice('#/$defs/'.length));
  return {
    ...objectIn(schema),
    ...objectIn(member(objectIn(root['$defs']), name)),
    $ref: undefined,
  };
};

const objectIn = (value: unknown): Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {};

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

interface OutputChange {
  /** In words. */
  readonly what: string;
  /** Whether clients that have listed the tool before may refuse its results until they list it again. */
  readonly breaking: boolean;
}

/** How the results of a tool are structured otherwise than before. */
export const outputChange = (
  before: ToolOutput | undefined,
  after: ToolOutput | undefined,
): OutputChange | undefined => {
  if (before?.schema === after?.schema) return undefined;
  if (!before) return { what: 'the results are structured', breaking: false };
  if (!after) return { what: 'the results are no longer structured', breaking: true };
  const breaking = excludes(outputSchema(before), outputSchema(after));
  return { what: 'the output schema is another one', breaking };
};

/** Whether a value that fits the later schema is described, and may not fit the earlier one. */
const excludes = (before: unknown, after: unknown): boolean => {
  if (!isObject(before) || !isObject(after)) return false;
  const [old, now] = [listOf(before['type']), listOf(after['type'])];
  if (old.length > 0 && (now.length === 0 || now.some((type) => !includes(old, type)))) return true;
  const [had, has] = [before['properties'], after['properties']];
  const isInside =
    isObject(had) &&
    isObject(has) &&
    Object.entries(had).some(
      ([name, schema]) => Object.hasOwn(has, name) && excludes(schema, has[name]),
    );
  return isInside || excludes(before['items'], after['items']);
};

const listOf = (type: unknown): readonly unknown[] => (type === undefined ? [] : [type].flat());

const includes = (types: readonly unknown[], type: unknown): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));
