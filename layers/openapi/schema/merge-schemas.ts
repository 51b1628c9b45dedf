import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { commonType } from '../json-schema/types.ts';

/** Beyond so many properties a merged schema is no use to a model, and merging could explode. */
const MAX_MERGED_PROPERTIES = 2_000;

/** Below this a step of `mergeAll` costs no more than it has to. */
const FEW = 32;

/** All together; what the first say in words wins. In halves, since each step copies what it has so far. */
export const mergeAll = (schemas: readonly JsonObject[]): JsonObject => {
  if (schemas.length <= FEW) return schemas.reduce(merge);
  const middle = schemas.length >> 1;
  return merge(mergeAll(schemas.slice(0, middle)), mergeAll(schemas.slice(middle)));
};

/** Both together; what `a` says in words wins. */
export const merge = (a: JsonObject, b: JsonObject): JsonObject => {
  const both: Record<string, Json> = { ...a };
  const leftover: Json[] = [...listOf(member(a, 'allOf')), ...listOf(member(b, 'allOf'))];
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

export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : [];
