import { isHeaderName, isHeaderValue } from '../../target/rules/protected-headers.ts';
import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { PropertyEncoding } from '../tool-index.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { resolved } from '../document.ts';
import { formOf, isJson } from './media-types.ts';
import { onlyValue } from './only-value.ts';
import { isStyle } from './parameter-style.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';

export interface Encodings {
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
    const isNamed = typeof type === 'string' && !isJson(type) && !encoding[name]?.contentType;
    return isNamed ? [[name, { ...encoding[name], contentType: type }] as const] : [];
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
    const { contentType, style, explode } = encoding[name] ?? {};
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
  const headers: Record<string, string> = {};
  const left: string[] = [];
  for (const [name, node] of Object.entries(isObject(described) ? described : {})) {
    if (/^content-(?:type|disposition)$/i.test(name)) continue;
    const header = resolved(root, node);
    const schema = isObject(header) ? member(header, 'schema') : undefined;
    const value = onlyValue(schemas, schema);
    if (value !== undefined && isHeaderName(name) && isHeaderValue(value)) headers[name] = value;
    else left.push(name);
  }
  return { headers, left };
};
