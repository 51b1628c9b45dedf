import type { Change } from '../tool-note.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import type { LinkedProperty, LinkedSchema } from './linked-schema.ts';
import type { FlatSchemas } from './flat-schema.ts';
import { listOf } from './merge-schemas.ts';
import { isPropertyName, propertyName, propertyNameWithHash } from './property-names.ts';
import { safePattern } from '../json-schema/safe-pattern.ts';
import { valueList } from './texts.ts';

export interface ObjectKeywords {
  readonly keywords: LinkedSchema['keywords'];
  readonly schemas: Pick<LinkedSchema, 'properties' | 'patternProperties' | 'additionalProperties'>;
  readonly changes: readonly Change[];
}

/** A router tries no more on the names of a call. */
const MAX_NAME_PATTERNS = 20;

/** How the schemas inside are translated, and looked into. */
export interface PropertyReader {
  readonly translate: (schema: Json | undefined) => LinkedSchema;
  readonly flats: Pick<FlatSchemas, 'flat'>;
}

/**
 * What a schema says of objects, for a request: without the properties that only answers have.
 *
 * @param hasAlternatives - alternatives may bring properties that this object's own rule for further ones would refuse
 */
export const objectKeywords = (
  reader: PropertyReader,
  schema: JsonObject,
  hasAlternatives: boolean,
): ObjectKeywords => {
  const given = member(schema, 'properties');
  const entries = isObject(given) ? Object.entries(given) : [];
  const leftOut = new Set(
    entries.filter(([, property]) => isLeftOut(reader, property)).map(([name]) => name),
  );
  const kept = entries.filter(([name]) => !leftOut.has(name));
  const required = requiredOf(schema, kept).filter((name) => !leftOut.has(name));

  // A name that is required but nowhere described is a property all the same.
  const described = new Set(kept.map(([name]) => name));
  const bare = required.filter((name) => !described.has(name)).map((name) => [name, true] as const);
  const properties = namedProperties(reader, [...kept, ...bare]);
  const renamed = properties.filter(({ wireName, name }) => wireName !== name);
  const nameOf = new Map(renamed.map(({ wireName, name }) => [wireName, name]));

  const patterns = patternsOf(schema);
  const safePatterns = patterns.flatMap(([pattern, part]) =>
    pattern === undefined ? [] : [[pattern, reader.translate(part)] as const],
  );
  const unevaluated = hasAlternatives ? undefined : member(schema, 'unevaluatedProperties');
  const further = member(schema, 'additionalProperties') ?? unevaluated;
  const isFree = further === true || (isObject(further) && Object.keys(further).length === 0);
  const isClosed = further === false && !hasAlternatives && safePatterns.length === patterns.length;
  const isTyped = isObject(further) && !isFree && !hasAlternatives;

  return {
    changes: [
      ...(leftOut.size > 0 ? [onlyInAnswers([...leftOut])] : []),
      ...(further !== undefined && !isFree && !isClosed && !isTyped ? [OPENED] : []),
      ...(safePatterns.length < patterns.length ? [UNCHECKED_NAMES] : []),
    ],
    keywords: {
      ...(required.length > 0
        ? { required: required.map((name) => nameOf.get(name) ?? name) }
        : {}),
      ...(isClosed ? { additionalProperties: false } : {}),
      ...(isFree ? { additionalProperties: true } : {}),
    },
    schemas: {
      ...(properties.length > 0 ? { properties } : {}),
      ...(safePatterns.length > 0 ? { patternProperties: safePatterns } : {}),
      ...(isTyped ? { additionalProperties: reader.translate(further) } : {}),
    },
  };
};

const onlyInAnswers = (names: readonly string[]): Change => ({
  what: `left out: ${valueList(names, 10)}`,
  why: 'read-only: the API sets it itself, so requests do not have it',
});

const OPENED: Change = {
  what: 'further properties are not ruled out',
  why: 'alternatives and patterns bring properties of their own',
};

const UNCHECKED_NAMES: Change = {
  what: 'patterns of property names are left out',
  why: 'they cannot be checked in a bounded time',
};

/** The API sets it itself, or nothing can be valid there. */
const isLeftOut = ({ flats }: PropertyReader, property: Json): boolean => {
  if (!isObject(property)) return property === false;
  const { readOnly, writeOnly } = flats.flat(property);
  return readOnly === true && writeOnly !== true;
};

/** Besides the list, a property may say itself that it is required, as in older descriptions. */
const requiredOf = (
  schema: JsonObject,
  properties: readonly (readonly [string, Json])[],
): readonly string[] => {
  const names = listOf(member(schema, 'required')).filter((name) => typeof name === 'string');
  const own = properties.filter(
    ([, property]) => isObject(property) && property['required'] === true,
  );
  return [...new Set([...names, ...own.map(([name]) => name)])];
};

const namedProperties = (
  { translate }: PropertyReader,
  entries: readonly (readonly [string, Json])[],
): readonly LinkedProperty[] => {
  const taken = new Set(entries.map(([wireName]) => wireName).filter(isPropertyName));
  return entries.map(([wireName, property]) => {
    const wanted = propertyName(wireName);
    const isFree = wanted === wireName || !taken.has(wanted);
    const name = isFree ? wanted : propertyNameWithHash(wireName);
    taken.add(name);
    return { name, wireName, schema: translate(property) };
  });
};

const patternsOf = (schema: JsonObject) => {
  const patterns = member(schema, 'patternProperties');
  const entries = Object.entries(isObject(patterns) ? patterns : {});
  const read = entries.length > MAX_NAME_PATTERNS ? () => undefined : safePattern;
  return entries.map(([pattern, part]) => [read(pattern), part] as const);
};
