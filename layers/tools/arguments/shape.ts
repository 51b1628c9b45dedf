import { namePatterns } from '../../openapi/json-schema/bounded-pattern.ts';
import type { Schema } from '../../openapi/json-schema/schema.ts';
import { partsOf } from '../../openapi/json-schema/subschemas.ts';
import { isObject, member } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import { keysOf, resolveFragment, resolvePointer } from '../../platform/rules/json/pointer.ts';
import type { Check } from './reading.ts';

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

export interface Shape {
  /** Every schema that may apply: references and branches are followed. */
  readonly views: readonly Schema[];
  /** Types that any of `views` allows; undefined if none names a type. */
  readonly types: ReadonlySet<JsonType> | undefined;
}

export interface Shapes {
  readonly root: Schema;
  /** Whether a base64 string may also be sent as an object that refers to a file. */
  readonly files: boolean;
  readonly known: Map<Schema, Shape>;
  readonly patterns: Map<Schema, NamePatterns>;
  readonly checks: Map<Schema, readonly Check[]>;
  /** Cache of whether a schema's string contains JSON. */
  readonly saysJson: Map<Schema, boolean>;
  readonly defaults: Defaults;
  /** Whether a null for an optional, not nullable property counts as absent, by the argument that contains it. */
  readonly ignoresNull: (argument: string) => boolean;
  patterned?: ReadonlySet<Schema>;
}

type Defaults = ReadonlyMap<Schema, ReadonlyMap<string, unknown>>;

export const shapesOf = (
  root: Schema,
  files: boolean,
  {
    defaults = {},
    ignoresNull = () => false,
  }: {
    readonly defaults?: Readonly<Record<string, unknown>> | undefined;
    readonly ignoresNull?: Shapes['ignoresNull'];
  } = {},
): Shapes => ({
  root,
  files,
  ignoresNull,
  defaults: defaultsOf(root, defaults),
  known: new Map(),
  patterns: new Map(),
  checks: new Map(),
  saysJson: new Map(),
});

const defaultsOf = (root: Schema, defaults: Readonly<Record<string, unknown>>): Defaults => {
  const found = new Map<Schema, Map<string, unknown>>();
  for (const [pointer, value] of Object.entries(defaults)) {
    const name = keysOf(pointer).at(-1);
    const schema = resolvePointer(root, pointer.split('/').slice(0, -2).join('/'));
    if (name === undefined || !isObject(schema)) continue;
    const known = found.get(schema) ?? new Map<string, unknown>();
    found.set(schema, known.set(name, value));
  }
  return found;
};

/** Patterns with the schemas behind them; undefined where not all patterns can be tried. */
type NamePatterns = readonly (readonly [RegExp, unknown])[] | undefined;

export const shapeOf = (shapes: Shapes, candidates: readonly Schema[]): Shape | undefined => {
  const [only] = candidates;
  if (!only) return undefined;
  // Combined shapes are not cached: a recursive schema would create them without end.
  if (candidates.length > 1) return inspect(shapes.root, candidates);
  const known = shapes.known.get(only);
  if (known) return known;
  const shape = inspect(shapes.root, candidates);
  shapes.known.set(only, shape);
  return shape;
};

export const propertyShape = (shapes: Shapes, shape: Shape, key: string): Shape | undefined =>
  shapeOf(shapes, propertySchemas(shapes, shape, key));

export const propertySchemas = (shapes: Shapes, { views }: Shape, key: string) =>
  views.flatMap((view) => {
    const patterns = patternsOf(shapes, view);
    const matching = patterns?.filter(([pattern]) => pattern.test(key)) ?? [];
    const found = [propertyOf(view, key), ...matching.map(([, schema]) => schema)];
    if (found.some((schema) => schema !== undefined)) return found.flatMap(schemas);
    return patterns ? schemas(view['additionalProperties']) : [];
  });

/** Schemas that apply in any case: alternatives are skipped unless there is only one. */
export const certainViews = (root: Schema, candidates: readonly Schema[]): readonly Schema[] =>
  viewsOf(root, candidates, (keyword, { length }) => keyword === 'allOf' || length === 1);

const BRANCHING = ['allOf', 'anyOf', 'oneOf'] as const;

const viewsOf = (
  root: Schema,
  candidates: readonly Schema[],
  isFollowed: (keyword: (typeof BRANCHING)[number], branches: readonly unknown[]) => boolean,
): readonly Schema[] => {
  const views = new Set<Schema>();
  const open = [...candidates];
  for (let schema = open.pop(); schema; schema = open.pop()) {
    if (views.has(schema)) continue;
    views.add(schema);
    const reference = schema['$ref'];
    if (typeof reference === 'string') open.push(...schemas(resolveFragment(root, reference)));
    for (const keyword of BRANCHING) {
      const branches = schema[keyword];
      if (!Array.isArray(branches) || !isFollowed(keyword, branches)) continue;
      for (const branch of branches) open.push(...schemas(branch));
    }
  }
  return [...views];
};

export const patternCount = (shapes: Shapes, shape: Shape): number =>
  shape.views.reduce((sum, view) => sum + (patternsOf(shapes, view)?.length ?? 0), 0);

export const itemShape = (shapes: Shapes, shape: Shape, index: number): Shape | undefined =>
  shapeOf(shapes, itemSchemas(shape, index));

export const itemSchemas = ({ views }: Shape, index: number): readonly Schema[] =>
  views.flatMap((view) => schemas(prefixOf(view, index) ?? view['items']));

/** Cost of matching a pattern against a name, in schema checks. */
export const weightOfName = (name: string): number => 1 + (name.length >> 4);

export const isFile = (schema: Schema): boolean => schema['contentEncoding'] === 'base64';

/** Whether description or media type say that a string contains JSON. Files do not count: their notes mention JSON. */
export const isDescribedAsJson = ({ saysJson }: Shapes, views: readonly Schema[]): boolean =>
  views.some((view) => {
    const known = saysJson.get(view) ?? speaksOfJson(view);
    saysJson.set(view, known);
    return known;
  }) && !views.some(isFile);

const speaksOfJson = ({ description, contentMediaType, format }: Schema): boolean =>
  (typeof description === 'string' && /\bjson\b/i.test(description)) ||
  (typeof contentMediaType === 'string' && /[/+]json\b/i.test(contentMediaType)) ||
  format === 'json';

export const namesProperty = ({ views }: Shape, key: string): boolean =>
  views.some((view) => propertyOf(view, key) !== undefined);

const propertyOf = (view: Schema, key: string): unknown =>
  isObject(view['properties']) ? member(view['properties'], key) : undefined;

const NO_PATTERNS: NamePatterns = [];

export const patternsOf = (shapes: Shapes, view: Schema): NamePatterns => {
  const described = view['patternProperties'];
  if (!isObject(described)) return NO_PATTERNS;
  const { patterns } = shapes;
  if (patterns.has(view)) return patterns.get(view);
  const tried = triesPatterns(shapes, view) ? namePatterns(described) : undefined;
  const found = tried?.map(([source, schema]) => [new RegExp(source, 'u'), schema] as const);
  patterns.set(view, found);
  return found;
};

/** Patterns tried for one tool, in units of 50 characters, since compiling is slow. The target checks the rest. */
const MOST_PATTERNS = 4000;
const PATTERN_CHARACTERS = 50;
/** A class such as `\p{L}` has hundreds of ranges and compiles as slowly as so many characters. */
const CLASS_CHARACTERS = 60;

const patternWeight = (pattern: string): number =>
  Math.max(
    1,
    (pattern.length + CLASS_CHARACTERS * (pattern.split(/\\[pP]\{/).length - 1)) /
      PATTERN_CHARACTERS,
  );

export const triesPatterns = (shapes: Shapes, schema: Schema): boolean => {
  shapes.patterned ??= firstPatterned(shapes.root);
  return shapes.patterned.has(schema);
};

const firstPatterned = (root: Schema): ReadonlySet<Schema> => {
  const patterned = new Set<Schema>();
  const open = [root];
  let left = MOST_PATTERNS;
  for (const schema of open) {
    const { pattern, patternProperties: names } = schema;
    const own = typeof pattern === 'string' ? [pattern] : [];
    const patterns = [...own, ...Object.keys(objectOf(names))];
    const count = patterns.reduce((sum, one) => sum + patternWeight(one), 0);
    left -= count;
    if (left < 0) break;
    if (count > 0) patterned.add(schema);
    for (const { schema: part } of partsOf(schema)) open.push(part);
  }
  return patterned;
};

const prefixOf = (view: Schema, index: number): unknown =>
  Array.isArray(view['prefixItems']) ? view['prefixItems'][index] : undefined;

export const schemas = (found: unknown): readonly Schema[] => (isObject(found) ? [found] : []);

const inspect = (root: Schema, candidates: readonly Schema[]): Shape => {
  const views = viewsOf(root, candidates, () => true);
  const types = new Set(views.flatMap(typesOf));
  return { views, types: types.size > 0 ? types : undefined };
};

const typesOf = (view: Schema): readonly JsonType[] => {
  const { type, enum: values, const: value } = view;
  if (typeof type === 'string') return [type as JsonType];
  if (Array.isArray(type)) return type as readonly JsonType[];
  if (Array.isArray(values)) return values.map(typeOf);
  if (value !== undefined) return [typeOf(value)];
  if (isObject(view['properties'])) return ['object'];
  if (isObject(view['items'])) return ['array'];
  return [];
};

/** JSON type of a value; integers are `number`. */
export const typeOf = (value: unknown): JsonType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
};
