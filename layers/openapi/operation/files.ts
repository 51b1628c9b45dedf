import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { listMember, objectMember } from '../../platform/rules/json/members.ts';
import type { Habit } from '../frameworks/habit.ts';
import { BASE64_OF_FILE } from '../json-schema/formats.ts';
import { formOf } from './encodings.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { propertiesIn } from '../schema/flat-schema.ts';
import { sentences } from '../schema/texts.ts';

const MAX_DEPTH = 4;

const FILE_OBJECT: JsonObject = {
  type: 'object',
  properties: {
    data: { type: 'string', format: BASE64_OF_FILE },
    filename: { type: 'string' },
    contentType: { type: 'string' },
  },
  required: ['data'],
  additionalProperties: false,
};

/** Schema of a body that is text or bytes. Bytes are wrapped in an object: base64 alone would be text. */
export const textOrFileSchema = (text: Json, textType: string, bytesType: string): JsonObject => ({
  description: `Text is sent as ${textType}. For bytes (${bytesType}) give an object with data (base64).`,
  anyOf: [text, FILE_OBJECT],
});

/** Schema of a file argument: base64, or an object with name and type. See `OperationBody`. */
export const fileSchema = (description: string | undefined, isNullable = false): JsonObject => ({
  description: sentences(
    description,
    'A file: base64 text, or an object with data (base64), filename and contentType.',
  ) as string,
  anyOf: [
    { type: 'string', format: BASE64_OF_FILE },
    FILE_OBJECT,
    ...(isNullable ? [{ type: 'null' }] : []),
  ],
});

/** @param hasFields - whether the members of a part are fields of their own, some of which are files */
export const withFiles = (
  schemas: Pick<Schemas, 'flat'>,
  schema: Json | undefined,
  hasFields: (name: string) => boolean = () => false,
  depth = 0,
): Json | undefined => {
  if (!isObject(schema) || depth > MAX_DEPTH) return schema;
  const flat = schemas.flat(schema);
  const properties = member(flat, 'properties');
  const alternatives = member(flat, 'anyOf');
  const further = member(flat, 'additionalProperties');
  return {
    ...flat,
    ...(isObject(further) ? { additionalProperties: asPart(schemas, further, 0) } : {}),
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, part]) => [
              name,
              hasFields(name) ? asFields(schemas, part) : asPart(schemas, part, 0),
            ]),
          ),
        }
      : {}),
    ...(Array.isArray(alternatives)
      ? { anyOf: alternatives.map((one) => withFiles(schemas, one, hasFields, depth + 1) ?? one) }
      : {}),
  };
};

/** Schema of a part, or of each item of a list; the same object if it contains neither a file nor base64. */
const asPart = (schemas: Pick<Schemas, 'flat'>, part: Json, depth: number): Json => {
  if (!isObject(part) || depth > MAX_DEPTH) return part;
  const flat = schemas.flat(part);
  if (isFile(flat)) {
    const description = member(flat, 'description');
    const isNullable = flat['nullable'] === true || [flat['type']].flat().includes('null');
    return {
      ...fileSchema(typeof description === 'string' ? description : undefined, isNullable),
      // Swagger 2.0 declares `required` in each part.
      ...(flat['required'] === true ? { required: true } : {}),
    };
  }
  if (isBase64(flat)) {
    // The API expects base64 text itself, not a file.
    const { contentEncoding: _, format: __, ...text } = flat;
    return { ...text, format: 'base64 text' };
  }
  const items = member(flat, 'items') ?? true;
  const alternatives = listMember(flat, 'anyOf');
  const newItems = asPart(schemas, items, depth + 1);
  const newAlternatives = alternatives.map((one) => asPart(schemas, one, depth + 1));
  const isChanged =
    newItems !== items || newAlternatives.some((one, index) => one !== alternatives[index]);
  if (!isChanged) return part;
  return {
    ...flat,
    ...(newItems === items ? {} : { items: newItems }),
    ...(alternatives.length > 0 ? { anyOf: newAlternatives } : {}),
  };
};

/** A form that requires a file, without that need, where its other fields are those of a JSON body; else undefined. */
export const withoutNeedOfFiles = (
  schemas: Pick<Schemas, 'flat'>,
  form: Json | undefined,
  json: Json | undefined,
): JsonObject | undefined => {
  const flat = isObject(form) ? schemas.flat(form) : {};
  const isOfFile = (part: Json) => isObject(part) && isFile(schemas.flat(part));
  const properties = Object.entries(propertiesIn(schemas, form));
  const fields = properties.filter(([, part]) => !isOfFile(part));
  const files = new Set(properties.filter(([, part]) => isOfFile(part)).map(([name]) => name));
  const isSame =
    fields.length > 0 && isDeepStrictEqual(Object.fromEntries(fields), propertiesIn(schemas, json));
  const asksFor = listMember(flat, 'required').filter((name) => typeof name === 'string');
  const required = asksFor.filter((name) => !files.has(name));
  if (!isSame || required.length === asksFor.length) return undefined;
  const asked = isObject(json) ? listMember(schemas.flat(json), 'required') : [];
  return isDeepStrictEqual(new Set(required), new Set(asked)) ? { ...flat, required } : undefined;
};

/** Members that are written in place for one part; schemas that would have more stay as they are described. */
const MOST_IN_PLACE = 1_000;

/** Schema of a part whose members are fields of their own; the same object if none of them is a file. */
const asFields = (schemas: Pick<Schemas, 'flat'>, part: Json): Json => {
  const within = new Set<Json>();
  let left = MOST_IN_PLACE;
  const read = (node: Json, depth: number): Json => {
    if (!isObject(node) || depth > MAX_DEPTH) return node;
    const flat = schemas.flat(node);
    // A schema that contains itself would go on forever.
    const self = node['$ref'] ?? flat;
    const properties = member(flat, 'properties');
    const count = Object.keys(objectMember(flat, 'properties')).length + 1;
    if (within.has(self) || (depth > 0 && count > left)) return node;
    left -= count;
    const { items } = flat;
    if (!isObject(properties) && items === undefined) return asPart(schemas, node, depth);
    within.add(self);
    const given = Object.entries(isObject(properties) ? properties : {});
    const fields = given.map(([name, one]) => [name, read(one, depth + 1)] as const);
    const item = items === undefined ? undefined : read(items, depth + 1);
    within.delete(self);
    if (item === items && fields.every(([, one], index) => one === given[index]?.[1])) return node;
    return {
      ...flat,
      ...(isObject(properties) && { properties: Object.fromEntries(fields) }),
      ...(item !== undefined && { items: item }),
    };
  };
  return read(part, 0);
};

/**
 * The schema of a list of parts, those that are bytes described as files.
 *
 * @param typeOf - the media type of the part at a position, undefined for further ones; bytes of such a type need no
 *   schema (OpenAPI 3.1.1 §4.8.14.3)
 */
export const withFileItems = (
  schemas: Pick<Schemas, 'flat'>,
  list: JsonObject,
  typeOf: (index: number | undefined) => string | undefined,
): JsonObject => {
  const { prefixItems, items } = list;
  const partAt = (part: Json, index: number | undefined): Json => {
    const flat = isObject(part) ? schemas.flat(part) : {};
    const type = typeOf(index);
    const isUntyped = ['type', 'anyOf', 'enum', 'const'].every(
      (key) => member(flat, key) === undefined,
    );
    const isBytes = isUntyped && type !== undefined && formOf(type) === 'binary';
    return asPart(schemas, isBytes ? { ...flat, type: 'string', format: 'binary' } : part, 0);
  };
  return {
    ...list,
    ...(Array.isArray(prefixItems) ? { prefixItems: prefixItems.map(partAt) } : {}),
    ...(items === undefined ? {} : { items: partAt(items, undefined) }),
  };
};

/** How frameworks mark files, beside what OpenAPI has for them. */
export const FILE_MARKS = [
  {
    frameworks: 'Fastify',
    writes: '`isFile: true`',
    takes: 'a file',
    source: '@fastify/multipart, README, "Add Schema to Swagger"',
    schema: { isFile: true },
  },
  {
    frameworks: 'oRPC',
    writes: '`type: string, contentMediaType: "*/*"`',
    takes: 'a file',
    source: 'oRPC, packages/zod/src/zod4/converter.ts, `file`',
    schema: { type: 'string', contentMediaType: '*/*' },
  },
] as const satisfies readonly (Habit & { readonly schema: JsonObject })[];

/**
 * Whether a string is bytes, or marked as a file.
 *
 * Source: Swagger 2.0 `file`; OpenAPI 3.0.4 §4.7.14.2; 3.1.1 §4.8.14.3; `FILE_MARKS`.
 */
export const isFile = ({
  type,
  format,
  contentMediaType,
  contentEncoding,
  isFile: isMarked,
}: JsonObject): boolean => {
  if (type === 'file' || format === 'binary' || isMarked === true) return true;
  const isBytes =
    typeof contentMediaType === 'string' &&
    (contentMediaType.includes('*') || formOf(contentMediaType) === 'binary');
  return isBytes && contentEncoding === undefined;
};

export const hasFile = (schema: Json | undefined, schemas: Pick<Schemas, 'flat'>): boolean => {
  return Object.values(propertiesIn(schemas, schema)).some((property) => {
    if (!isObject(property)) return false;
    const flat = schemas.flat(property);
    const items = member(flat, 'items');
    return isFile(flat) || (isObject(items) && isFile(schemas.flat(items)));
  });
};

/** Names of fields that have files among the members of their objects. */
export const withFilesInside = (
  schemas: Pick<Schemas, 'flat'>,
  schema: Json | undefined,
): readonly string[] => {
  const known = new Map<JsonObject, boolean>();
  const isInside = (part: Json | undefined, depth: number): boolean => {
    if (!isObject(part) || depth > MAX_DEPTH) return false;
    const flat = schemas.flat(part);
    const before = known.get(flat);
    if (before !== undefined) return before;
    // What contains itself adds nothing.
    known.set(flat, false);
    const parts = [flat['items'], ...Object.values(propertiesIn(schemas, flat))];
    const found = hasFile(flat, schemas) || parts.some((one) => isInside(one, depth + 1));
    known.set(flat, found);
    return found;
  };
  return Object.entries(propertiesIn(schemas, schema)).flatMap(([name, part]) =>
    isInside(part, 0) ? [name] : [],
  );
};

const isBase64 = ({ format, contentEncoding }: JsonObject): boolean =>
  contentEncoding === 'base64' || format === 'byte' || format === 'base64';

/** Names of parts that are files although described as plain strings. */
const CALLED_FILE = /^files?$|(?:[a-z]F|_f)iles?$/;
const OF_TEXTS = [
  'format',
  'enum',
  'const',
  'pattern',
  'minLength',
  'maxLength',
  'contentEncoding',
  'contentMediaType',
  'default',
  'example',
  'examples',
];

/**
 * Turns strings of a multipart body into files if they are called so, as at Stripe, or have `contentEncoding: binary`,
 * as at Discord.
 * @returns also the names of those that are only called files
 */
export const withNamedFiles = (
  schemas: Pick<Schemas, 'flat'>,
  schema: Json | undefined,
): { readonly schema: Json | undefined; readonly names: readonly string[] } => {
  const flat = isObject(schema) ? schemas.flat(schema) : {};
  const properties = member(flat, 'properties');
  // Where a file is described beside it, a string is meant as text.
  const isWithFile = hasFile(schema, schemas);
  const names: string[] = [];
  let isChanged = false;
  const parts = Object.entries(isObject(properties) ? properties : {}).map(([name, part]) => {
    const own = isObject(part) ? schemas.flat(part) : {};
    const isPlain =
      own['type'] === 'string' && OF_TEXTS.every((key) => member(own, key) === undefined);
    const isCalled = isPlain && !isWithFile && CALLED_FILE.test(name);
    if (isCalled) names.push(name);
    const isBytes = own['type'] === 'string' && own['contentEncoding'] === 'binary';
    if (!isCalled && !isBytes) return [name, part] as const;
    isChanged = true;
    return [name, { ...own, format: 'binary' }] as const;
  });
  return isChanged
    ? { schema: { ...flat, properties: Object.fromEntries(parts) }, names }
    : { schema, names };
};
