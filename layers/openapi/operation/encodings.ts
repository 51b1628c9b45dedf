import { isHeaderName, isHeaderValue } from '../../target/rules/protected-headers.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type {
  OperationBody,
  OperationParameter,
  ParameterStyle,
  PropertyEncoding,
} from '../tool-index.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { objectOf } from '../../platform/rules/json/members.ts';
import { resolved } from '../document.ts';
import { readTypes, valuesOf } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { propertiesIn } from '../schema/flat-schema.ts';

export interface Encodings {
  readonly encoding: Readonly<Record<string, PropertyEncoding>>;
  readonly warnings: readonly Finding[];
}

/**
 * Reads how form properties are encoded. Headers of parts are only sent if the description fixes their value.
 * Source: OpenAPI 3.1.1, "Encoding Object".
 */
export const readEncodings = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  encodings: Json | undefined,
  pointer: string,
): Encodings => {
  const warnings: Finding[] = [];
  const entries = Object.entries(objectOf(encodings)).flatMap(([name, encoding]) => {
    if (!isObject(encoding)) return [];
    const { contentType, style, explode, allowReserved } = encoding;
    const { headers, left } = fixedHeaders(root, schemas, member(encoding, 'headers'));
    if (left.length > 0) {
      warnings.push({
        where: pointer,
        what: `headers of the part ${name} are not sent, for they have no fixed value: ${left.join(', ')}`,
        hint: 'Check that the API works without them.',
      });
    }
    const read: PropertyEncoding = {
      ...(typeof contentType === 'string' ? { contentType } : {}),
      ...(isStyle(style) ? { style } : {}),
      ...(typeof explode === 'boolean' ? { explode } : {}),
      ...(typeof allowReserved === 'boolean' ? { allowReserved } : {}),
      ...(Object.keys(headers).length > 0 ? { headers } : {}),
    };
    return Object.keys(read).length > 0 ? [[name, read] as const] : [];
  });
  return { encoding: Object.fromEntries(entries), warnings };
};

/**
 * Drops `style: form`, which Swashbuckle writes for each part of a multipart body and OpenAPI 3.0 ignores there.
 * Source: OpenAPI 3.0.4, "Encoding Object", `style`.
 */
export const withoutDefaultStyle = ({ encoding, warnings }: Encodings): Encodings => ({
  encoding: Object.fromEntries(
    Object.entries(encoding).map(([name, one]) => {
      const { style, explode, ...others } = one;
      return [name, style === 'form' && explode !== false ? others : one];
    }),
  ),
  warnings,
});

/**
 * Adds media types that schemas of multipart parts name, except for JSON in strings, which would be encoded twice.
 * Source: OpenAPI 3.1.1, "Encoding multipart Media Types".
 */
export const withPartTypes = (
  encoding: Encodings['encoding'],
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): Encodings['encoding'] => {
  const flat = (part: Json | undefined) => (isObject(part) ? schemas.flat(part) : {});
  const named = Object.entries(propertiesIn(schemas, schema)).flatMap(([name, part]) => {
    const own = flat(part);
    const { contentMediaType: type } = Object.hasOwn(own, 'items') ? flat(own['items']) : own;
    const isNamed =
      typeof type === 'string' && !isJson(type) && !member(encoding, name)?.contentType;
    return isNamed ? [[name, { ...member(encoding, name), contentType: type }] as const] : [];
  });
  return named.length > 0 ? { ...encoding, ...Object.fromEntries(named) } : encoding;
};

/**
 * The schema of a multipart body, where a part is an object that goes out as XML or other text: the model
 * writes that text, as it writes a body of such a type.
 */
export const withTextParts = (
  encoding: Encodings['encoding'],
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): { readonly schema: Json | undefined; readonly texts: readonly string[] } => {
  const flat = isObject(schema) ? schemas.flat(schema) : {};
  const properties = member(flat, 'properties');
  const texts = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, part]) => {
    const { contentType, style, explode } = member(encoding, name) ?? {};
    const type = concreteType(contentType);
    const isText = type !== undefined && formOf(type) === 'text';
    const isOther = style !== undefined || explode !== undefined || !isObject(part);
    if (!isText || isOther || !readTypes(schemas.flat(part)).includes('object')) return [];
    const own = member(schemas.flat(part), 'description');
    const description = [...(typeof own === 'string' ? [own] : []), `The part as text (${type}).`];
    return [[name, { type: 'string', description: description.join(' ') }] as const];
  });
  if (texts.length === 0) return { schema, texts: [] };
  return {
    schema: { ...flat, properties: { ...Object(properties), ...Object.fromEntries(texts) } },
    texts: texts.map(([name]) => name),
  };
};

const concreteType = (contentType: string | undefined): string | undefined =>
  contentType
    ?.split(',')
    .map((type) => type.trim())
    .find((type) => !type.includes('*'));

/** Skips `Content-Type`, which OpenAPI ignores here, and `Content-Disposition`: both are written with the part. */
const fixedHeaders = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  described: Json | undefined,
) => {
  const headers = new Map<string, string>();
  const left: string[] = [];
  for (const [name, node] of Object.entries(objectOf(described))) {
    if (/^content-(?:type|disposition)$/i.test(name)) continue;
    const header = resolved(root, node);
    const schema = isObject(header) ? member(header, 'schema') : undefined;
    const value = onlyValue(schemas, schema);
    if (value !== undefined && isHeaderName(name) && isHeaderValue(value)) headers.set(name, value);
    else left.push(name);
  }
  return { headers: Object.fromEntries(headers), left };
};

/** Source: OpenAPI 3.1.1, "Parameter Locations". */
export type ParameterLocation = OperationParameter['in'];

interface Style {
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

const STYLES: Readonly<Record<ParameterLocation, readonly string[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form', 'cookie'],
};

/**
 * Serialization of a parameter. Style `cookie` of OpenAPI 3.2, which has no encoding, is `form` with `allowReserved`.
 * Source: OpenAPI 3.1.1 §4.8.12.2 to §4.8.12.4; OpenAPI 3.2.0, "Style Values".
 */
export const parameterStyle = (parameter: JsonObject, location: ParameterLocation): Style => {
  const given = member(parameter, 'style');
  const fallback = location === 'path' || location === 'header' ? 'simple' : 'form';
  const style = isStyle(given) && STYLES[location].includes(given) ? given : fallback;
  const explode = member(parameter, 'explode');
  return {
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form',
    allowReserved: member(parameter, 'allowReserved') === true || given === 'cookie',
  };
};

/** Source: Swagger 2.0, "Parameter Object", `collectionFormat`. */
export const collectionStyle = (parameter: JsonObject, location: ParameterLocation): Style => {
  const format = member(parameter, 'collectionFormat');
  if (format === 'multi' && location === 'query') {
    return { style: 'form', explode: true, allowReserved: false };
  }
  const delimited = typeof format === 'string' ? DELIMITED.get(format) : undefined;
  const fallback = location === 'path' || location === 'header' ? 'simple' : 'form';
  return { style: delimited ?? fallback, explode: false, allowReserved: false };
};

const isStyle = (value: unknown): value is ParameterStyle =>
  typeof value === 'string' && Object.values(STYLES).flat().includes(value) && value !== 'cookie';

const DELIMITED: ReadonlyMap<string, ParameterStyle> = new Map([
  ['ssv', 'spaceDelimited'],
  ['tsv', 'tabDelimited'],
  ['pipes', 'pipeDelimited'],
]);

export interface Parameter extends Style {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  readonly schema: Json | undefined;
  /** Its description, example and so on, which override the schema's. */
  readonly annotations: JsonObject;
  /** Set for parameters with `content`. */
  readonly mediaType?: string;
  readonly brackets?: true;
  readonly dots?: true;
  readonly digits?: true;
  readonly notes?: readonly string[];
  readonly isQuery?: true;
  readonly isMultiSegment?: true;
  /** See `OperationParameter`. */
  readonly mayBeLeftOut?: true;
  readonly isRepeated?: true;
}

type Form = OperationBody['form'];

export const formOf = (mediaType: string): Form => {
  const type = bare(oneOf(mediaType));
  if (isJson(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (type.startsWith('text/') || isXml(type) || TEXTS.has(type)) return 'text';
  return 'binary';
};

/** Preferred media type: JSON, then forms, then text. Source: docs/tools.md, "Bodies". */
export const preferredMediaType = (mediaTypes: readonly string[]): string | undefined =>
  withinLimit(mediaTypes).toSorted((a, b) => rank(a) - rank(b))[0];

/** Media type from `x-media-type`, which overrides the description: some APIs describe JSON and read forms. */
export const wantedMediaType = (...places: readonly JsonObject[]): string | undefined =>
  places
    .map((place) => member(place, 'x-media-type'))
    .find((type) => typeof type === 'string' && /^\w[\w.+-]*\/\w[\w.+-]*$/.test(type)) as
    | string
    | undefined;

/** Limit for lists of media types, which thousands of operations may share. */
const MOST_TYPES = 100;

export const withinLimit = (mediaTypes: readonly string[]): readonly string[] =>
  mediaTypes.slice(0, MOST_TYPES);

/**
 * Media type to send for a range such as `image/*`, and whether it is a guess.
 * @param content - of a body described as a string only: as JSON its quotes would be stored by the API
 */
export const concreteMediaType = (
  mediaType: string,
  content?: 'text' | 'bytes',
): { mediaType: string; isGuess: boolean } => {
  const one = oneOf(mediaType);
  const type = bare(one);
  if (NO_TYPE_OF_FORM.test(type)) return { mediaType: 'multipart/form-data', isGuess: true };
  if (NO_TYPE_OF_JSON.test(type)) return { mediaType: 'application/json', isGuess: true };
  if (!type.includes('*')) return { mediaType: one.trim(), isGuess: false };
  if (isJson(type) && content === 'bytes') return { mediaType: BYTES, isGuess: true };
  if (type === '*/*' && content === 'text') return { mediaType: 'text/plain', isGuess: true };
  if (isJson(type)) return { mediaType: 'application/json', isGuess: type !== '*/*' };
  if (type === 'text/*') return { mediaType: 'text/plain', isGuess: true };
  if (type === 'multipart/*') return { mediaType: 'multipart/form-data', isGuess: true };
  return { mediaType: BYTES, isGuess: true };
};

const BYTES = 'application/octet-stream';

export const isXml = (mediaType: string): boolean => /[/+]xml$/.test(bare(oneOf(mediaType)));

export const isJson = (mediaType: string): boolean => {
  const type = bare(mediaType);
  return (
    /[/+]json$/.test(type) ||
    type === '*/*' ||
    type === 'application/*' ||
    NO_TYPE_OF_JSON.test(type)
  );
};

/** No registered types, but clear. */
const NO_TYPE_OF_FORM = /^multipart\/(?:data|files?|form|form_data|formdata)$/;

/** `json` or `applicationjson`: invalid as media type, but clear. */
const NO_TYPE_OF_JSON = /^[^/+]*json$/;

/** The preferred one of several types in one text, such as `application/json, application/xml`. */
const oneOf = (mediaType: string): string =>
  mediaType.includes(',') && !mediaType.includes('"')
    ? (preferredMediaType(mediaType.split(',')) ?? mediaType)
    : mediaType;

const bare = (mediaType: string): string => mediaType.split(';', 1).join().trim().toLowerCase();

const TEXTS: ReadonlySet<string> = new Set(
  'application/jsonl application/x-ndjson application/ndjson application/x-jsonlines application/json-seq application/geo+json-seq application/jsonlines application/json-lines application/yaml application/x-yaml application/toml application/graphql application/sql application/sdp application/javascript application/x-javascript application/xml-dtd application/rtf application/x-sh application/ld+turtle'.split(
    ' ',
  ),
);

/**
 * Media types of patches that fit their schema (JSON Patch a list, the others an object), or all if none does.
 * Source: RFC 6902 §3; RFC 7396 §1.
 */
export const fittingPatches = (
  offered: readonly string[],
  schemas: Pick<Schemas, 'flat'>,
  schemaOf: (mediaType: string) => Json | undefined,
): readonly string[] => {
  const fits = (mediaType: string): boolean => {
    const [, kind] = /\b(json|merge)-patch\+json\b/i.exec(mediaType) ?? [];
    const schema = kind === undefined ? undefined : schemaOf(mediaType);
    const types = isObject(schema) ? readTypes(schemas.flat(schema)) : [];
    if (types.length === 0) return true;
    return types.includes(kind?.toLowerCase() === 'json' ? 'array' : 'object');
  };
  const fitting = withinLimit(offered).filter(fits);
  return fitting.length > 0 ? fitting : offered;
};

const ORDER: readonly Form[] = ['json', 'form', 'multipart', 'text', 'binary'];

const rank = (mediaType: string): number => {
  const type = bare(oneOf(mediaType));
  const isPlainJson = type === 'application/json' ? 0 : 1;
  return ORDER.indexOf(formOf(type)) * 4 + (type.includes('*') ? 2 : 0) + isPlainJson;
};

/** The single scalar that a schema allows, as text; undefined where there is a choice. */
export const onlyValue = (
  schemas: Pick<Schemas, 'flat'>,
  schema: Json | undefined,
): string | undefined => {
  const [value, ...others] = (isObject(schema) ? valuesOf(schemas.flat(schema)) : undefined) ?? [];
  // An empty value is a placeholder: see `PLACEHOLDERS`.
  const isPlain =
    value !== undefined && value !== null && value !== '' && typeof value !== 'object';
  return isPlain && others.length === 0 ? String(value) : undefined;
};
