import {
  isObject,
  type Json,
  type JsonObject,
  member,
  textMember,
} from '../../platform/rules/json/json.ts';
import { objectMember } from '../../platform/rules/json/members.ts';
import { withoutPlaceholders } from '../frameworks/placeholders.ts';
import { annotated, type LinkedProperty, type LinkedSchema } from './linked-schema.ts';
import {
  isForeign,
  isPropertyName,
  propertyName,
  propertyNameApart,
  sentAsNote,
  tidyText,
  valueList,
} from './texts.ts';
import {
  hasLostDigits,
  inType,
  isOneOf,
  numberOf,
  type TypeName,
  valuesOf,
} from '../json-schema/types.ts';
import type { Change } from '../tool-note.ts';
import { BASE64_OF_FILE, PORTABLE_FORMATS } from '../json-schema/formats.ts';
import { portablePattern } from '../json-schema/portable-pattern.ts';
import { type PatternReader, safePattern } from '../json-schema/safe-pattern.ts';
import { type FlatSchemas, requiredOf } from './flat-schema.ts';
import { patternKeyword } from './pattern-keyword.ts';
import { isVariable } from '../frameworks/placeholders.ts';
import { valueKeywords } from './value-keywords.ts';

const MAX_EXAMPLE = 120;

export const annotationsOf = (schema: JsonObject, types: readonly TypeName[]): LinkedSchema => {
  const description = tidyText(schema, 'description');
  const example = exampleOf(schema, types);
  const value = defaultOf(schema, types);
  return {
    ...(description !== undefined && { description }),
    ...(member(schema, 'deprecated') === true && { notes: ['Deprecated.'] }),
    ...(example !== undefined && { example }),
    keywords: value === undefined ? {} : { default: value },
  };
};

/** Examples of a wrong type are dropped, since they mislead. */
const exampleOf = (schema: JsonObject, types: readonly TypeName[]): Json | undefined => {
  const many = member(schema, 'examples');
  const example = member(schema, 'example') ?? (Array.isArray(many) ? many[0] : undefined);
  if (example === undefined || example === null || example === '') return undefined;
  if (hasLostDigits(example) || isVariable(example)) return undefined;
  const isFit = isOneOf(types, example) && JSON.stringify(example).length <= MAX_EXAMPLE;
  return isFit ? example : undefined;
};

interface Scalars {
  readonly keywords: Readonly<Record<string, Json>>;
  readonly unlisted?: JsonObject;
  readonly notes: readonly string[];
  readonly changes: readonly Change[];
}

const MAX_DEFAULT = 500;

/** Formats that tell a model nothing. */
const SILENT_FORMATS: ReadonlySet<string> = new Set(
  'int32 int64 integer int long float double decimal number string text password binary boolean object array enum'.split(
    ' ',
  ),
);

/**
 * Limits, values and formats of a schema in JSON Schema 2020-12, without invalid limits and keywords of other types.
 * Source: JSON Schema 2020-12 Validation §6; OpenAPI 3.0.4 §4.7.24.
 */
export const scalarKeywords = (
  schema: JsonObject,
  types: readonly TypeName[],
  safe: PatternReader,
): Scalars => {
  const isText = types.includes('string');
  const isList = types.includes('array');
  const values = valueKeywords(schema, enumOf(schema, types));
  const pattern = isText ? patternKeyword(schema, safe) : undefined;
  const format = formatOf(schema, isText);
  const fallback = defaultOf(schema, types);

  const keywords: Record<string, Json> = {};
  if (types.length > 0) keywords['type'] = types.length === 1 ? (types[0] ?? null) : types;
  if (values.listed) keywords['enum'] = values.listed;
  if (isText) Object.assign(keywords, counts(schema, 'minLength', 'maxLength'));
  if (pattern?.listed !== undefined) keywords['pattern'] = pattern.listed;
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
  const notes = [...values.notes, ...(pattern?.notes ?? []), ...format.notes];
  const unlisted = {
    ...(values.checked && { enum: values.checked }),
    ...(pattern?.checked !== undefined && { pattern: pattern.checked }),
  };
  const changes = [
    ...(!values.isThere && valuesOf(schema)?.some(hasLostDigits) ? [LOST_DIGITS] : []),
    ...(values.checked && values.notes.length > 0 ? [VALUES_IN_WORDS] : []),
    ...(pattern?.changes ?? []),
    ...format.changes,
    ...(fallback === undefined && (member(schema, 'default') ?? null) !== null ? [NO_DEFAULT] : []),
  ];
  return { keywords, notes, changes, ...(Object.keys(unlisted).length > 0 && { unlisted }) };
};

const VALUES_IN_WORDS: Change = {
  what: 'the values are described in words',
  why: 'Gemini takes lists of texts alone; calls are held against the values all the same',
};

const LOST_DIGITS: Change = {
  what: 'the list of values is left out',
  why: 'some have more digits than JSON numbers keep; texts would keep them',
};

const NO_DEFAULT: Change = {
  what: 'the default is left out',
  why: 'it does not fit the type, or is very long',
};

const defaultOf = (schema: JsonObject, types: readonly TypeName[]): Json | undefined => {
  const given = member(schema, 'default');
  if (given === undefined || isVariable(given)) return undefined;
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

const BASE64_FORMATS: ReadonlySet<Json> = new Set(['byte', 'base64']);

/** Source: RFC 2045 §6.1; RFC 4648. */
const isEncoding = (encoding: Json | undefined): encoding is string =>
  typeof encoding === 'string' &&
  /^[\w-]{1,40}$/.test(encoding) &&
  !/^(?:7bit|8bit|binary)$/i.test(encoding);

const formatOf = (schema: JsonObject, isText: boolean): Scalars => {
  const format = member(schema, 'format');
  const encoding = member(schema, 'contentEncoding');
  const isInFile = format === BASE64_OF_FILE;
  const isBase64 = isInFile || BASE64_FORMATS.has(format ?? null) || encoding === 'base64';
  const keywords = isText && isBase64 ? { contentEncoding: 'base64' } : {};
  if (isBase64) {
    // Few models read the keyword alone: most then send plain text.
    const isKnown = isInFile || !isText || /base-?64/i.test(textMember(schema, 'description'));
    return { keywords, notes: isKnown ? [] : ['Base64 text.'], changes: [] };
  }
  // Model APIs know no other encodings, so words describe them.
  const other = format === 'base64url' ? format : encoding;
  const content = isText ? contentNote(schema) : [];
  const others = [...(isText && isEncoding(other) ? [`${other} text.`] : []), ...content];
  if (typeof format !== 'string') return { keywords, notes: others, changes: [] };
  if (isText && PORTABLE_FORMATS.has(format)) {
    return { keywords: { ...keywords, format }, notes: others, changes: [] };
  }
  const isSilent =
    SILENT_FORMATS.has(format) || format === 'base64url' || !/^[\w +./-]{1,40}$/.test(format);
  if (isSilent) return { keywords, notes: others, changes: [] };
  const change = {
    what: `the format ${format} is described in words`,
    why: 'not every model API knows it',
  };
  return { keywords, notes: [`Format: ${format}.`, ...others], changes: [change] };
};

/** What a text holds by its media type, with the members of JSON. Source: JSON Schema 2020-12 Validation §8. */
const contentNote = (schema: JsonObject): readonly string[] => {
  const type = textMember(schema, 'contentMediaType').split(';', 1).join().trim().toLowerCase();
  if (!/[/+](?:json|xml|ya?ml|csv|html|markdown)$/.test(type)) return [];
  if (!/[/+]json$/.test(type)) return [`Text of the type ${type}.`];
  const members = Object.keys(objectMember(objectMember(schema, 'contentSchema'), 'properties'));
  return [
    members.length > 0 ? `JSON text with ${valueList(members, MOST_MEMBERS)}.` : 'JSON text.',
  ];
};

const MOST_MEMBERS = 20;

/** Minimum and maximum of a count; contradicting ones are ignored as a mistake. */
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

const LIMITS = [
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
] as const;

/** Converts `exclusiveMinimum: true` of OpenAPI 3.0 to a number. */
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

interface ArrayKeywords {
  readonly keywords: LinkedSchema['keywords'];
  readonly schemas: Pick<LinkedSchema, 'items' | 'prefixItems'>;
}

export const arrayKeywords = (
  { translate, flats }: PropertyReader,
  schema: JsonObject,
): ArrayKeywords => {
  const items = member(schema, 'items') ?? member(schema, 'unevaluatedItems');
  const first = member(schema, 'prefixItems');
  // Before 2020-12, a list of `items` had the meaning of `prefixItems`.
  const prefix = [first, items].find((list) => Array.isArray(list)) ?? [];
  return {
    keywords: items === false && prefix.length > 0 ? { maxItems: prefix.length } : {},
    schemas: {
      items: translate(Array.isArray(items) ? true : withoutPlaceholders(flats.flat, items)),
      ...(prefix.length > 0 ? { prefixItems: prefix.map(translate) } : {}),
    },
  };
};

interface ObjectKeywords {
  readonly keywords: LinkedSchema['keywords'];
  readonly schemas: Pick<LinkedSchema, 'properties' | 'patternProperties' | 'additionalProperties'>;
  readonly changes: readonly Change[];
}

/** Routers match property names against at most so many patterns. */
const MAX_NAME_PATTERNS = 20;

interface PropertyReader {
  readonly translate: (schema: Json | undefined) => LinkedSchema;
  readonly flats: Pick<FlatSchemas, 'flat'>;
}

/**
 * Object keywords for a request, without read-only properties.
 * @param hasAlternatives - whether alternatives may add properties that `additionalProperties` would refuse
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
  const asked = requiredOf(schema, kept).filter((name) => !leftOut.has(name));

  // A required name without description is a property too. Beside described ones it is mostly one that the API no
  // longer has: Directus refuses it, and a caller that has to give it could not call. So the API judges.
  const described = new Set(kept.map(([name]) => name));
  const bare = asked.filter((name) => !described.has(name));
  const isJudged = bare.length <= kept.length && !hasAlternatives;
  const required = isJudged ? asked.filter((name) => described.has(name)) : asked;
  const undescribed = bare.map((name) => [name, isJudged ? UNDESCRIBED : true] as const);
  const properties = namedProperties(reader, [...kept, ...undescribed]);
  const renamed = properties.filter(({ wireName, name }) => wireName !== name);
  const namesByWire = new Map(renamed.map(({ wireName, name }) => [wireName, name]));

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
        ? { required: required.map((name) => namesByWire.get(name) ?? name) }
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

const UNDESCRIBED: JsonObject = {
  description:
    'Described as required, and nothing says what it is: leave it out unless the API asks for it.',
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
  why: 'they cannot be checked in a bounded time, or some model API refuses them',
};

const isLeftOut = ({ flats }: PropertyReader, property: Json): boolean => {
  if (!isObject(property)) return property === false;
  const { readOnly, writeOnly } = flats.flat(property);
  return readOnly === true && writeOnly !== true;
};

const namedProperties = (
  { translate, flats }: PropertyReader,
  entries: readonly (readonly [string, Json])[],
): readonly LinkedProperty[] => {
  const taken = new Set(entries.map(([wireName]) => wireName).filter(isPropertyName));
  return entries.map(([wireName, property]) => {
    const wanted = propertyName(wireName);
    const isFree = wanted === wireName || !taken.has(wanted);
    const name = isFree ? wanted : propertyNameApart(wireName, taken);
    taken.add(name);
    const schema = translate(withoutPlaceholders(flats.flat, property));
    const notes = isForeign(wireName) ? [sentAsNote(wireName)] : [];
    const noted = notes.length > 0 ? annotated(schema, { notes, keywords: {} }) : schema;
    return { name, wireName, schema: noted };
  });
};

const patternsOf = (schema: JsonObject) => {
  const entries = Object.entries(objectMember(schema, 'patternProperties'));
  const isMany = entries.length > MAX_NAME_PATTERNS;
  const read = (pattern: string): string | undefined => {
    const safe = isMany ? undefined : safePattern(pattern);
    return safe && portablePattern(safe);
  };
  return entries.map(([pattern, part]) => [read(pattern), part] as const);
};
