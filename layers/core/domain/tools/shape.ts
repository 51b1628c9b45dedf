import { namePatterns } from './bounded-pattern.ts';
import { isObject, type JsonObject, own, resolve } from './json.ts';

export type Schema = JsonObject;
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** What is known about a value before its schemas are checked. */
export interface Shape {
  /** Every schema that may speak about the value: references followed, compositions laid open. */
  readonly views: readonly Schema[];
  /** Types that any of them accepts; `undefined` if none names one. */
  readonly types: ReadonlySet<JsonType> | undefined;
}

/** The shapes of one tool, found as calls need them. */
export interface Shapes {
  readonly root: Schema;
  readonly known: Map<Schema, Shape>;
  /** Of schemas that describe properties by patterns of their names. */
  readonly patterns: Map<Schema, NamePatterns>;
}

/** Undefined where not all of them can be tried. */
type NamePatterns = readonly (readonly [RegExp, unknown])[] | undefined;

/** The shape of a value that any of these schemas may describe. */
export const shapeOf = (shapes: Shapes, candidates: readonly Schema[]): Shape | undefined => {
  const [only] = candidates;
  if (!only) return undefined;
  // Joined shapes are not kept: a recursive schema would make them without end.
  if (candidates.length > 1) return inspect(shapes.root, candidates);
  const known = shapes.known.get(only);
  if (known) return known;
  const shape = inspect(shapes.root, candidates);
  shapes.known.set(only, shape);
  return shape;
};

export const propertyShape = (shapes: Shapes, shape: Shape, key: string): Shape | undefined =>
  shapeOf(
    shapes,
    shape.views.flatMap((view) => {
      const patterns = patternsOf(shapes, view);
      const matching = patterns?.filter(([pattern]) => pattern.test(key)) ?? [];
      const found = [propertyOf(view, key), ...matching.map(([, schema]) => schema)];
      if (found.some((schema) => schema !== undefined)) return found.flatMap(schemas);
      return patterns ? schemas(view['additionalProperties']) : [];
    }),
  );

/** How many patterns `propertyShape` tries on a name. */
export const patternCount = (shapes: Shapes, shape: Shape): number =>
  shape.views.reduce((sum, view) => sum + (patternsOf(shapes, view)?.length ?? 0), 0);

export const itemShape = (shapes: Shapes, shape: Shape, index: number): Shape | undefined =>
  shapeOf(
    shapes,
    shape.views.flatMap((view) => schemas(prefixOf(view, index) ?? view['items'])),
  );

const propertyOf = (view: Schema, key: string): unknown =>
  isObject(view['properties']) ? own(view['properties'], key) : undefined;

const NO_PATTERNS: NamePatterns = [];
/** Schemas of one tool whose patterns of names are made ready: that takes far longer than to try them. */
const MOST_PATTERNED = 200;

const patternsOf = ({ patterns }: Shapes, view: Schema): NamePatterns => {
  const described = view['patternProperties'];
  if (!isObject(described)) return NO_PATTERNS;
  if (patterns.has(view)) return patterns.get(view);
  const tried = patterns.size < MOST_PATTERNED ? namePatterns(described) : undefined;
  const found = tried?.map(([source, schema]) => [new RegExp(source, 'u'), schema] as const);
  patterns.set(view, found);
  return found;
};

const prefixOf = (view: Schema, index: number): unknown =>
  Array.isArray(view['prefixItems']) ? view['prefixItems'][index] : undefined;

const schemas = (found: unknown): readonly Schema[] => (isObject(found) ? [found] : []);

const inspect = (root: Schema, candidates: readonly Schema[]): Shape => {
  const views = new Set<Schema>();
  const open = [...candidates];
  for (let schema = open.pop(); schema; schema = open.pop()) {
    if (views.has(schema)) continue;
    views.add(schema);
    const reference = schema['$ref'];
    if (typeof reference === 'string') open.push(...schemas(resolve(root, reference)));
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      const branches = schema[keyword];
      for (const branch of Array.isArray(branches) ? branches : []) open.push(...schemas(branch));
    }
  }
  const types = new Set([...views].flatMap(typesOf));
  return { views: [...views], types: types.size > 0 ? types : undefined };
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

/** The JSON type of a value; whole numbers are `number` too. */
export const typeOf = (value: unknown): JsonType => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as JsonType;
};
