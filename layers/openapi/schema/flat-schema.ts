import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { listMember, listOf, objectMember, objectOf } from '../../platform/rules/json/members.ts';
import { resolveFragment } from '../../platform/rules/json/pointer.ts';
import { MAX_HOPS } from '../document.ts';
import { commonType, readTypes } from '../json-schema/types.ts';

export interface FlatSchemas {
  /** One level: `$ref` followed, `allOf` merged (one that remains cannot be), `oneOf` turned into `anyOf`. */
  readonly flat: (schema: JsonObject) => JsonObject;
  /** Whether an alternative leads back to its schema without a property in between. */
  readonly alternativeLeadsBack: (alternative: Json, schema: JsonObject) => boolean;
  /** Whether a schema that refers to `to` is itself part of it, without a property in between. */
  readonly leadsBack: (schema: JsonObject, to: Json) => boolean;
  /** Whether parts of a schema are missing because it is composed of too many others. */
  readonly isCut: (schema: JsonObject) => boolean;
  /** End of a `$ref` chain, and the last reference in it. */
  readonly target: (ref: string) => { readonly ref: string; readonly schema: Json } | undefined;
}

const MAX_CHAIN = 100;
const ALTERNATIVES = ['oneOf', 'anyOf'] as const;

/**
 * Merges compositions. Properties of the same name are joined by an `allOf`. `additionalProperties: false` is dropped
 * unless all parts with properties have it: nothing would be valid for both, and real descriptions mean the union.
 * @param allowsRefSiblings - whether siblings of `$ref` count (3.1 and later)
 */
export const flatSchemas = (root: JsonObject, allowsRefSiblings: boolean): FlatSchemas => {
  const wholes = new Map<JsonObject, JsonObject>();
  const bases = new Map<JsonObject, JsonObject>();
  const inProgress = new Set<JsonObject>();
  const cut = new Set<JsonObject>();
  const inAnyWay = applicatorReach(root, ['allOf', ...ALTERNATIVES]);
  const byAlternatives = applicatorReach(root, ALTERNATIVES);

  const flat = (schema: JsonObject): JsonObject =>
    merging(schema, wholes, () => withOneListOfAlternatives(schema));

  /** Without alternatives: what a member of `oneOf` inherits from the schema that lists it. */
  const flatBase = (schema: JsonObject): JsonObject =>
    merging(schema, bases, () => without(schema, ALTERNATIVES));

  const merging = (
    schema: JsonObject,
    known: Map<JsonObject, JsonObject>,
    own: () => JsonObject,
  ): JsonObject => {
    const before = known.get(schema);
    if (before) return before;
    if (isFlat(schema)) return schema;
    // A recursive `allOf` adds nothing.
    if (inProgress.has(schema)) return {};
    if (inProgress.size > MAX_CHAIN) {
      for (const one of inProgress) cut.add(one);
      return {};
    }
    inProgress.add(schema);
    const { $ref, allOf, ...keywords } = own();
    const target = typeof $ref === 'string' ? resolveFragment(root, $ref) : undefined;
    const self = target === undefined || allowsRefSiblings ? keywords : annotationsOf(keywords);
    const members = [...(target === undefined ? [] : [target]), ...listOf(allOf)];
    const parts = members
      .filter(isObject)
      .map((part) => (reaches(part, schema) ? flatBase(part) : flat(part)));
    const merged = mergeAll([self, ...parts]);
    inProgress.delete(schema);
    known.set(schema, merged);
    return merged;
  };

  /** Whether `from` applies `to` to the same value; assumed where there are too many schemas to follow. */
  const reaches = (from: JsonObject, to: JsonObject, ways = inAnyWay): boolean => {
    const reached = ways(from, to);
    if (reached === 'unknown') cut.add(to);
    return reached !== 'no';
  };

  const circular = new Map<JsonObject, boolean>();
  const isCircular = (schema: JsonObject): boolean => {
    const known = circular.get(schema) ?? reaches({ ...schema }, schema);
    circular.set(schema, known);
    return known;
  };

  const target: FlatSchemas['target'] = (ref) => {
    let at = ref;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      const schema = resolveFragment(root, at);
      if (schema === undefined) return undefined;
      const next = isObject(schema) ? member(schema, '$ref') : undefined;
      const isPlain = isObject(schema) && Object.keys(schema).length === 1;
      if (typeof next !== 'string' || !isPlain) return { ref: at, schema };
      at = next;
    }
    return undefined;
  };

  return {
    flat,
    alternativeLeadsBack: (alternative, schema) =>
      isObject(alternative) && reaches(alternative, schema, byAlternatives),
    isCut: (schema) => cut.has(schema),
    leadsBack: (schema, to) => isObject(to) && isCircular(to) && reaches(to, schema),
    target,
  };
};

/** Fast path: most schemas have no composition. */
const isFlat = (schema: JsonObject): boolean =>
  schema['$ref'] === undefined &&
  schema['allOf'] === undefined &&
  schema['oneOf'] === undefined &&
  schema['anyOf'] === undefined;

const ANNOTATIONS: ReadonlySet<string> = new Set(
  'title summary description default example examples deprecated readOnly writeOnly nullable x-nullable xml externalDocs'.split(
    ' ',
  ),
);

export const isAnnotation = (keyword: string): boolean =>
  ANNOTATIONS.has(keyword) || keyword.startsWith('x-');

const annotationsOf = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => isAnnotation(keyword)));

const without = (schema: JsonObject, keywords: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)));

/** Turns `oneOf` into `anyOf`, or merges a single one: alternatives of real descriptions overlap. */
const withOneListOfAlternatives = (schema: JsonObject): JsonObject => {
  const lists = ALTERNATIVES.map((keyword) => listMember(schema, keyword));
  const [first, second] = lists.filter((list) => list.length > 1);
  const single = lists.filter((list) => list.length === 1).flat();
  const allOf = [...listMember(schema, 'allOf'), ...single, ...(second ? [{ anyOf: second }] : [])];
  return {
    ...without(schema, [...ALTERNATIVES, 'allOf']),
    ...(first ? { anyOf: first } : {}),
    ...(allOf.length > 0 ? { allOf } : {}),
  };
};

/** Properties of a schema with its compositions merged. */
export const propertiesIn = (
  { flat }: Pick<FlatSchemas, 'flat'>,
  schema: Json | undefined,
): JsonObject => objectMember(isObject(schema) ? flat(schema) : {}, 'properties');

const DEEPEST_BOOLEAN = 4;

/** Whether a value may have booleans in it, as far as the schema tells. Each schema is looked at once. */
export const hasBoolean = (
  schemas: Pick<FlatSchemas, 'flat'>,
  schema: Json | undefined,
): boolean => {
  const seen = new Set<JsonObject>();
  let level: readonly JsonObject[] = [objectOf(schema)];
  for (let depth = 0; depth <= DEEPEST_BOOLEAN && level.length > 0; depth += 1) {
    const fresh = new Set(level.map((one) => schemas.flat(one)).filter((one) => !seen.has(one)));
    if ([...fresh].some((one) => readTypes(one).includes('boolean'))) return true;
    for (const one of fresh) seen.add(one);
    level = [...fresh]
      .flatMap((one) => [one['items'], ...Object.values(objectMember(one, 'properties'))])
      .filter(isObject);
  }
  return false;
};

/** Names of required properties; in older descriptions properties themselves may have `required: true`. */
export const requiredOf = (
  schema: JsonObject,
  properties: readonly (readonly [string, Json])[],
): readonly string[] => {
  const names = listMember(schema, 'required').filter((name) => typeof name === 'string');
  const own = properties.filter(
    ([, property]) => isObject(property) && property['required'] === true,
  );
  return [...new Set([...names, ...own.map(([name]) => name)])];
};

/** The reference, if the schema has only annotations beside it. */
export const refOf = (schema: JsonObject, allowsRefSiblings: boolean): string | undefined => {
  const ref = member(schema, '$ref');
  if (typeof ref === 'string') {
    const isAlone = Object.keys(schema).every((key) => key === '$ref' || isAnnotation(key));
    return isAlone || !allowsRefSiblings ? ref : undefined;
  }
  if (isFlat(schema)) return undefined;
  // OpenAPI 3.0 allows nothing beside `$ref`, so that a description needs a list of one around the reference.
  const single = ['allOf', 'oneOf', 'anyOf'].filter((keyword) => Object.hasOwn(schema, keyword));
  const [keyword] = single;
  const list = keyword === undefined ? undefined : member(schema, keyword);
  const [only] = Array.isArray(list) && list.length === 1 ? list : [];
  const isWrapper =
    single.length === 1 &&
    Object.keys(schema).every(
      (key) => key === keyword || isAnnotation(key) || key === 'discriminator',
    );
  const inner =
    isWrapper && isObject(only) && Object.keys(only).length === 1 ? only['$ref'] : undefined;
  return typeof inner === 'string' ? inner : undefined;
};

/** Reads a `$recursiveRef` (2019-09) as the enclosing component, a remaining `$dynamicRef` (2020-12) as its anchor. */
export const dynamicRef = (
  root: JsonObject,
  schema: JsonObject,
  current: string | undefined,
): string | undefined => {
  if (current === undefined || typeof member(schema, '$recursiveRef') === 'string') return current;
  const ref = member(schema, '$dynamicRef');
  const component = resolveFragment(root, current);
  const anchor = isObject(component) ? member(component, '$dynamicAnchor') : undefined;
  return typeof anchor === 'string' && ref === `#${anchor}` ? current : undefined;
};

/** Limit for merging, which could explode; larger schemas are useless to a model. */
const MAX_MERGED_PROPERTIES = 2_000;

/** Number of schemas up to which copying at each step is cheap. */
const FEW = 32;

/** Merges schemas by halves, since each step copies the result. Descriptions of the first ones have precedence. */
const mergeAll = (schemas: readonly JsonObject[]): JsonObject => {
  if (schemas.length <= FEW) return schemas.reduce(merge);
  const middle = schemas.length >> 1;
  return merge(mergeAll(schemas.slice(0, middle)), mergeAll(schemas.slice(middle)));
};

/** Merges two schemas; descriptions of `a` have precedence. */
export const merge = (a: JsonObject, b: JsonObject): JsonObject => {
  const both: Record<string, Json> = { ...a };
  const leftover: Json[] = [...listMember(a, 'allOf'), ...listMember(b, 'allOf')];
  for (const [keyword, theirs] of Object.entries(b)) {
    const ours = member(a, keyword);
    if (keyword === 'allOf') continue;
    if (ours === undefined || ours === theirs) both[keyword] = theirs;
    else if (LEFT_OVER.has(keyword)) leftover.push({ [keyword]: theirs });
    else both[keyword] = JOIN.get(keyword)?.(ours, theirs) ?? ours;
  }
  const closed = new Set([isClosed(a), isClosed(b)]);
  if (closed.has(true) && closed.has(false)) delete both['additionalProperties'];
  if (leftover.length > 0) both['allOf'] = leftover;
  return both;
};

const LEFT_OVER: ReadonlySet<string> = new Set(['anyOf', 'pattern', 'multipleOf']);

const isClosed = (schema: JsonObject): boolean | undefined =>
  isObject(member(schema, 'properties'))
    ? member(schema, 'additionalProperties') === false
    : undefined;

type Join = (ours: Json, theirs: Json) => Json | undefined;

const larger: Join = (a, b) =>
  typeof a === 'number' && typeof b === 'number' ? Math.max(a, b) : a;
const smaller: Join = (a, b) =>
  typeof a === 'number' && typeof b === 'number' ? Math.min(a, b) : a;
const bothOf: Join = (a, b) => (isObject(a) && isObject(b) ? { allOf: [a, b] } : a);

const maps: Join = (a, b) => {
  if (!isObject(a) || !isObject(b)) return isObject(a) ? a : b;
  const sum = new Map(Object.entries(a));
  for (const [name, theirs] of Object.entries(b)) {
    const ours = sum.get(name);
    if (ours === undefined && sum.size >= MAX_MERGED_PROPERTIES) continue;
    sum.set(name, ours === undefined || ours === theirs ? theirs : (bothOf(ours, theirs) ?? ours));
  }
  return Object.fromEntries(sum);
};

const union: Join = (a, b) => [...new Set([...listOf(a), ...listOf(b)])];

const commonValues: Join = (a, b) => {
  const theirs = new Set(listOf(b).map((value) => JSON.stringify(value)));
  const common = listOf(a).filter((value) => theirs.has(JSON.stringify(value)));
  return common.length > 0 ? common : a;
};

const commonTypes: Join = (a, b) => {
  const [ours, theirs] = [a, b].map((type) => (Array.isArray(type) ? type : [type]));
  const common = ours?.flatMap((type) => commonType(type, theirs ?? []) ?? []);
  return common && common.length > 0 ? common : a;
};

const JOIN: ReadonlyMap<string, Join> = new Map(
  Object.entries({
    properties: maps,
    patternProperties: maps,
    required: union,
    type: commonTypes,
    enum: commonValues,
    items: bothOf,
    additionalProperties: bothOf,
    minimum: larger,
    minLength: larger,
    minItems: larger,
    minProperties: larger,
    maximum: smaller,
    maxLength: smaller,
    maxItems: smaller,
    maxProperties: smaller,
  }),
);

/** Schemas followed from one; beyond it, all count as reached. */
const MOST_STEPS = 2_000;
const MOST_REMEMBERED = 500_000;

type Reach = 'yes' | 'no' | 'unknown';

interface Reached {
  readonly schemas: ReadonlySet<Json>;
  readonly isWhole: boolean;
}

/**
 * Finds whether a schema applies another one to the same value, through references and in-place applicators. Results
 * are cached, since many alternatives that refer to each other ask for the same.
 * @param applicators - keywords with lists of schemas
 * Source: JSON Schema 2020-12 Core §10.2, "Keywords for Applying Subschemas in Place".
 */
const applicatorReach = (
  root: JsonObject,
  applicators: readonly string[],
): ((from: JsonObject, to: JsonObject) => Reach) => {
  const known = new Map<JsonObject, Reached>();
  let remembered = 0;

  const reachedFrom = (from: JsonObject): Reached => {
    const before = known.get(from);
    if (before) return before;
    const reached = follow(root, applicators, from);
    remembered += reached.schemas.size;
    if (remembered > MOST_REMEMBERED) {
      known.clear();
      remembered = reached.schemas.size;
    }
    known.set(from, reached);
    return reached;
  };

  return (from, to) => {
    const { schemas, isWhole } = reachedFrom(meantBy(root, from, to));
    if (from === to || schemas.has(to)) return 'yes';
    return isWhole ? 'no' : 'unknown';
  };
};

const follow = (root: JsonObject, applicators: readonly string[], from: JsonObject): Reached => {
  const schemas = new Set<Json>();
  const open: Json[] = [from];
  for (let at = open.pop(); at !== undefined && schemas.size <= MOST_STEPS; at = open.pop()) {
    if (!isObject(at) || schemas.has(at)) continue;
    schemas.add(at);
    const target = targetOf(root, at);
    if (target !== undefined) open.push(target);
    for (const keyword of applicators) {
      const parts = member(at, keyword);
      if (Array.isArray(parts)) for (const part of parts) open.push(part);
    }
  }
  return { schemas, isWhole: schemas.size <= MOST_STEPS };
};

const targetOf = (root: JsonObject, schema: JsonObject): Json | undefined => {
  const ref = member(schema, '$ref');
  return typeof ref === 'string' ? resolveFragment(root, ref) : undefined;
};

/** Resolves a mere reference, which reaches what its target does. */
const meantBy = (root: JsonObject, schema: JsonObject, to: JsonObject): JsonObject => {
  if (schema === to || Object.keys(schema).length > 1) return schema;
  const target = targetOf(root, schema);
  return isObject(target) ? target : schema;
};
