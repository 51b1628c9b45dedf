import type { Change } from '../tool-note.ts';
import { PORTABLE_FORMATS } from '../json-schema/formats.ts';
import { type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { PatternReader } from '../json-schema/safe-pattern.ts';
import { type TypeName, valuesOf } from '../json-schema/types.ts';
import { hasLostDigits, inType, numberOf } from './read-values.ts';

/** Keywords without schemas inside, and what of the description they cannot say. */
export interface Scalars {
  readonly keywords: Readonly<Record<string, Json>>;
  readonly notes: readonly string[];
  readonly changes: readonly Change[];
}

const MAX_DEFAULT = 500;

/** They say nothing to a model. */
const SILENT_FORMATS: ReadonlySet<string> = new Set(
  'int32 int64 integer int long float double decimal number string text password binary boolean object array enum'.split(
    ' ',
  ),
);

/**
 * The limits, values and formats of a schema in JSON Schema 2020-12. Keywords that do not go with the
 * types, and values that are no limits, are dropped: they say nothing.
 *
 * Source: JSON Schema 2020-12 Validation §6; OpenAPI 3.0.4 §4.7.24.
 */
export const scalarKeywords = (
  schema: JsonObject,
  types: readonly TypeName[],
  safe: PatternReader,
): Scalars => {
  const isText = types.includes('string');
  const isList = types.includes('array');
  const values = enumOf(schema, types);
  const pattern = isText ? patternOf(schema, safe) : undefined;
  const format = formatOf(schema, isText);
  const fallback = defaultOf(schema, types);

  const keywords: Record<string, Json> = {};
  if (types.length > 0) keywords['type'] = types.length === 1 ? (types[0] ?? null) : types;
  if (values) keywords['enum'] = values;
  if (isText) Object.assign(keywords, counts(schema, 'minLength', 'maxLength'));
  if (pattern?.safe !== undefined) keywords['pattern'] = pattern.safe;
  Object.assign(keywords, format.keywords);
  if (types.includes('number') || types.includes('integer')) {
    Object.assign(keywords, range(schema));
  }
  if (isList) Object.assign(keywords, counts(schema, 'minItems', 'maxItems'));
  if (isList && member(schema, 'uniqueItems') === true) keywords['uniqueItems'] = true;
  if (types.includes('object')) {
    Object.assign(keywords, counts(schema, 'minProperties', 'maxProperties'));
  }
  if (fallback !== undefined) keywords['default'] = fallback;
  const notes = [
    ...(pattern && pattern.safe === undefined ? [`Pattern: ${pattern.given.slice(0, 200)}`] : []),
    ...format.notes,
  ];
  const changes = [
    ...(!values && valuesOf(schema)?.some(hasLostDigits) ? [LOST_DIGITS] : []),
    ...(pattern && pattern.safe === undefined ? [PATTERN_IN_WORDS] : []),
    ...format.changes,
    ...(fallback === undefined && (member(schema, 'default') ?? null) !== null ? [NO_DEFAULT] : []),
  ];
  return { keywords, notes, changes };
};

const LOST_DIGITS: Change = {
  what: 'the list of values is left out',
  why: 'some have more digits than JSON numbers keep; texts would keep them',
};

const PATTERN_IN_WORDS: Change = {
  what: 'the pattern is described in words',
  why: 'it is none of JSON Schema, or cannot be checked in a bounded time',
};

const NO_DEFAULT: Change = {
  what: 'the default is left out',
  why: 'it does not fit the type, or is very long',
};

/** What an absent value counts as, if it is one that the schema allows. */
export const defaultOf = (schema: JsonObject, types: readonly TypeName[]): Json | undefined => {
  const given = member(schema, 'default');
  if (given === undefined) return undefined;
  const value = inType(types, given);
  return value !== undefined && JSON.stringify(value).length <= MAX_DEFAULT ? value : undefined;
};

const enumOf = (schema: JsonObject, types: readonly TypeName[]): readonly Json[] | undefined => {
  const given = valuesOf(schema);
  if (given?.some(hasLostDigits)) return undefined;
  const values = given?.map((value) => inType(types, value)).filter((value) => value !== undefined);
  if (!values || values.length === 0) return undefined;
  return types.includes('null') && !values.includes(null) ? [...values, null] : values;
};

const patternOf = (
  schema: JsonObject,
  safe: PatternReader,
): { given: string; safe: string | undefined } | undefined => {
  const given = member(schema, 'pattern');
  return typeof given === 'string' && given !== '' ? { given, safe: safe(given) } : undefined;
};

const formatOf = (schema: JsonObject, isText: boolean): Scalars => {
  const format = member(schema, 'format');
  const encoding = member(schema, 'contentEncoding');
  const isBase64 = format === 'byte' || format === 'base64' || encoding === 'base64';
  const keywords = isText && isBase64 ? { contentEncoding: 'base64' } : {};
  if (typeof format !== 'string' || isBase64) return { keywords, notes: [], changes: [] };
  if (isText && PORTABLE_FORMATS.has(format)) {
    return { keywords: { ...keywords, format }, notes: [], changes: [] };
  }
  const isSilent = SILENT_FORMATS.has(format) || !/^[\w +./-]{1,40}$/.test(format);
  if (isSilent) return { keywords, notes: [], changes: [] };
  const change = {
    what: `the format ${format} is described in words`,
    why: 'not every model API knows it',
  };
  return { keywords, notes: [`Format: ${format}.`], changes: [change] };
};

/** A pair of limits on a number of things; contradicting ones are a mistake and say nothing. */
const counts = (schema: JsonObject, least: string, most: string): Record<string, Json> => {
  if (schema[least] === undefined && schema[most] === undefined) return {};
  const [min, max] = [least, most].map((keyword) => {
    const count = numberOf(member(schema, keyword));
    return count !== undefined && count >= 0 && Number.isInteger(count) ? count : undefined;
  });
  if (min !== undefined && max !== undefined && min > max) return {};
  return {
    ...(min === undefined || min === 0 ? {} : { [least]: min }),
    ...(max === undefined ? {} : { [most]: max }),
  };
};

const LIMITS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum', 'multipleOf'];

/** OpenAPI 3.0 says `exclusiveMinimum: true` beside `minimum`; JSON Schema has a number there. */
const range = (schema: JsonObject): Record<string, Json> => {
  const limits: Record<string, Json> = {};
  if (!LIMITS.some((keyword) => schema[keyword] !== undefined)) return limits;
  for (const [inclusive, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const limit = numberOf(member(schema, inclusive));
    const strict = member(schema, exclusive);
    const strictLimit = strict === true ? limit : numberOf(strict);
    if (limit !== undefined && strict !== true) limits[inclusive] = limit;
    if (strictLimit !== undefined) limits[exclusive] = strictLimit;
  }
  const { minimum, maximum } = limits;
  if (typeof minimum === 'number' && typeof maximum === 'number' && minimum > maximum) return {};
  const step = numberOf(member(schema, 'multipleOf'));
  return step !== undefined && step > 0 ? { ...limits, multipleOf: step } : limits;
};
