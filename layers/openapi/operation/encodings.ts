import { isHeaderName, isHeaderValue } from '../../target/rules/protected-headers.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type {
  OperationBody,
  OperationParameter,
  ParameterStyle,
  PropertyEncoding,
} from '../tool-index.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { resolved } from '../document.ts';
import { readTypes, valuesOf } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';

interface Encodings {
  readonly encoding: Readonly<Record<string, PropertyEncoding>>;
  readonly warnings: readonly Finding[];
}

/**
 * How the properties of a form are written. Headers of parts are sent where the description fixes them
 * to one value; a call has no argument for others.
 *
 * Source: OpenAPI 3.1.1, "Encoding Object".
 */
export const readEncodings = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  encodings: Json | undefined,
  pointer: string,
): Encodings => {
  const warnings: Finding[] = [];
  const entries = Object.entries(isObject(encodings) ? encodings : {}).flatMap(
    ([name, encoding]) => {
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
    },
  );
  return { encoding: Object.fromEntries(entries), warnings };
};

/**
 * Encodings of a multipart body without `style: form`, which Swashbuckle writes for each part and OpenAPI 3.0
 * ignores there.
 *
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
 * The media types that the parts of a multipart body name in their schemas, where no encoding does. Texts
 * that hold JSON are left as they are: the encoding would write them as JSON once more.
 *
 * Source: OpenAPI 3.1.1, "Encoding multipart Media Types".
 */
export const withPartTypes = (
  encoding: Encodings['encoding'],
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): Encodings['encoding'] => {
  const flat = (part: Json | undefined) => (isObject(part) ? schemas.flat(part) : {});
  const properties = member(flat(schema), 'properties');
  const named = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, part]) => {
    const own = flat(part);
    const { contentMediaType: type } = Object.hasOwn(own, 'items') ? flat(own['items']) : own;
    const isNamed =
      typeof type === 'string' && !isJson(type) && !member(encoding, name)?.contentType;
    return isNamed ? [[name, { ...member(encoding, name), contentType: type }] as const] : [];
  });
  return named.length > 0 ? { ...encoding, ...Object.fromEntries(named) } : encoding;
};

/**
 * Encodings of a form whose objects are written as `a[b]=1`, as its reader takes them; what has an encoding or is no
 * plain object stays.
 *
 * @returns the names of those, too
 */
export const withBrackets = (
  encoding: Encodings['encoding'],
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): { readonly encoding: Encodings['encoding']; readonly names: readonly string[] } => {
  const properties = member(isObject(schema) ? schemas.flat(schema) : {}, 'properties');
  const names = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, part]) => {
    const types = isObject(part) ? readTypes(schemas.flat(part)) : [];
    return types.includes('object') && member(encoding, name) === undefined ? [name] : [];
  });
  const deep = names.map(
    (name) => [name, { style: 'deepObject', explode: true } as const] as const,
  );
  return { encoding: { ...encoding, ...Object.fromEntries(deep) }, names };
};

/** Encodings of a multipart body whose fields may have no media type. */
export const withUntypedParts = (
  encoding: Encodings['encoding'],
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): Encodings['encoding'] => {
  const properties = member(isObject(schema) ? schemas.flat(schema) : {}, 'properties');
  const untyped = Object.keys(isObject(properties) ? properties : {}).flatMap((name) => {
    const own = member(encoding, name);
    return own?.contentType ? [] : [[name, { ...own, isUntyped: true }] as const];
  });
  return { ...encoding, ...Object.fromEntries(untyped) };
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

/** Of the types that an encoding lists, the one that a part is sent as. */
const concreteType = (contentType: string | undefined): string | undefined =>
  contentType
    ?.split(',')
    .map((type) => type.trim())
    .find((type) => !type.includes('*'));

/** `Content-Type` is described elsewhere and ignored here, as the specification has it. */
const fixedHeaders = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  described: Json | undefined,
) => {
  const headers = new Map<string, string>();
  const left: string[] = [];
  for (const [name, node] of Object.entries(isObject(described) ? described : {})) {
    if (/^content-(?:type|disposition)$/i.test(name)) continue;
    const header = resolved(root, node);
    const schema = isObject(header) ? member(header, 'schema') : undefined;
    const value = onlyValue(schemas, schema);
    if (value !== undefined && isHeaderName(name) && isHeaderValue(value)) headers.set(name, value);
    else left.push(name);
  }
  return { headers: Object.fromEntries(headers), left };
};

/** Where a parameter is sent. Source: OpenAPI 3.1.1, "Parameter Locations". */
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
 * How a parameter is written. The style `cookie` of OpenAPI 3.2 is `form` without any encoding, which
 * `allowReserved` says here.
 *
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

/** A name of the description that is a style, whatever the location. */
const isStyle = (value: unknown): value is ParameterStyle =>
  typeof value === 'string' && Object.values(STYLES).flat().includes(value) && value !== 'cookie';

const DELIMITED: ReadonlyMap<string, ParameterStyle> = new Map([
  ['ssv', 'spaceDelimited'],
  ['tsv', 'tabDelimited'],
  ['pipes', 'pipeDelimited'],
]);

/** A parameter that becomes an argument. */
export interface Parameter extends Style {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  readonly schema: Json | undefined;
  /** Its own description, example and so on, which win over the schema's. */
  readonly annotations: JsonObject;
  /** Set for `content` parameters. */
  readonly mediaType?: string;
  /** See `OperationParameter`. */
  readonly brackets?: true;
  /** See `OperationParameter`. */
  readonly dots?: true;
  /** What a model must know to write it. */
  readonly notes?: readonly string[];
  /** See `OperationParameter`. */
  readonly isQuery?: true;
  readonly isMultiSegment?: true;
}

type Form = OperationBody['form'];

/** What a media type is written as; by its name without parameters. */
export const formOf = (mediaType: string): Form => {
  const type = bare(oneOf(mediaType));
  if (isJson(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  if (type.startsWith('text/') || isXml(type) || TEXTS.has(type)) return 'text';
  return 'binary';
};

/**
 * The media type to send, of those a description offers: JSON if it can be, then forms, then text.
 *
 * Source: docs/tools.md, "Bodies".
 */
export const preferredMediaType = (mediaTypes: readonly string[]): string | undefined =>
  withinLimit(mediaTypes).toSorted((a, b) => rank(a) - rank(b))[0];

/**
 * The media type that a body is to be sent in whatever else is described: `x-media-type` of the body or of its
 * operation, for APIs that describe JSON where they read forms.
 */
export const wantedMediaType = (...places: readonly JsonObject[]): string | undefined =>
  places
    .map((place) => member(place, 'x-media-type'))
    .find((type) => typeof type === 'string' && /^\w[\w.+-]*\/\w[\w.+-]*$/.test(type)) as
    | string
    | undefined;

/** Thousands of operations may share one list of them; no honest one is longer. */
const MOST_TYPES = 100;

/** As many of the media types that a description lists as are looked at. */
export const withinLimit = (mediaTypes: readonly string[]): readonly string[] =>
  mediaTypes.slice(0, MOST_TYPES);

/**
 * The type to be sent for a range such as `image/*`, and whether that was a choice of ours.
 *
 * @param content - what the schema says of a body that is no JSON in any case: a string is its own text, and
 *   quotes around it would be part of what the API stores
 */
export const concreteMediaType = (
  mediaType: string,
  content?: 'text' | 'bytes',
): { mediaType: string; isGuess: boolean } => {
  const one = oneOf(mediaType);
  const type = bare(one);
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

/** `json`, or `applicationjson`: no media type at all, and no doubt about what is meant. */
const NO_TYPE_OF_JSON = /^[^/+]*json$/;

/** Of several that stand in one text (`application/json, application/xml`), the one that suits best. */
const oneOf = (mediaType: string): string =>
  mediaType.includes(',') && !mediaType.includes('"')
    ? (preferredMediaType(mediaType.split(',')) ?? mediaType)
    : mediaType;

const bare = (mediaType: string): string => mediaType.split(';', 1).join().trim().toLowerCase();

/** Text, though the name does not say so. */
const TEXTS: ReadonlySet<string> = new Set(
  'application/jsonl application/x-ndjson application/x-jsonlines application/json-seq application/geo+json-seq application/jsonlines application/yaml application/x-yaml application/toml application/graphql application/sql application/sdp application/javascript application/x-javascript application/xml-dtd application/rtf application/x-sh application/ld+turtle'.split(
    ' ',
  ),
);

/**
 * The media types whose patches a schema can be: a JSON Patch is a list, which no object is that Kubernetes describes
 * for it and its other patches. All of them where none fits.
 *
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

/** The one text, number or truth value that a schema allows, as text; undefined where it leaves a choice. */
export const onlyValue = (
  schemas: Pick<Schemas, 'flat'>,
  schema: Json | undefined,
): string | undefined => {
  const [value, ...others] = (isObject(schema) ? valuesOf(schemas.flat(schema)) : undefined) ?? [];
  // An empty one stands for none: see `PLACEHOLDERS`.
  const isPlain =
    value !== undefined && value !== null && value !== '' && typeof value !== 'object';
  return isPlain && others.length === 0 ? String(value) : undefined;
};
