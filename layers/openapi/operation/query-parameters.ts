import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { type Description, resolved } from '../document.ts';
import { readEncodings } from './encodings.ts';
import { isJson, preferredMediaType } from './media-types.ts';
import type { Parameter } from './parameter.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { readTypes } from '../json-schema/types.ts';

const FORM = 'application/x-www-form-urlencoded';

/**
 * OpenAPI 3.2: one parameter stands for the whole query. The properties of a form become parameters of
 * their own; anything else is one argument.
 *
 * @returns none where it has no content
 *
 * Source: OpenAPI 3.2.0, "Parameter Object", `in: querystring`; "Encoding Object".
 */
export const queryParameters = (
  { root }: Description,
  schemas: Pick<Schemas, 'flat'>,
  parameter: JsonObject,
  name: string,
  pointer: string,
): readonly Parameter[] => {
  const content = member(parameter, 'content');
  if (!isObject(content)) return [];
  const mediaType = Object.hasOwn(content, FORM) ? FORM : preferredMediaType(Object.keys(content));
  if (mediaType === undefined) return [];
  const media = resolved(root, content[mediaType] ?? null);
  const given = isObject(media) ? member(media, 'schema') : undefined;
  const flat = isObject(given) ? schemas.flat(given) : {};
  const properties = member(flat, 'properties');
  const isSpread = mediaType === FORM && isObject(properties) && !isOpen(flat);
  if (!isSpread) {
    const description = member(parameter, 'description');
    const isText = mediaType !== FORM && !isJson(mediaType);
    return [
      {
        ...AS_FORM,
        name,
        required: parameter['required'] === true,
        schema: isText
          ? { type: 'string' }
          : (given ?? (mediaType === FORM ? { type: 'object' } : true)),
        annotations: description === undefined ? {} : { description },
        mediaType,
        isQuery: true,
      },
    ];
  }

  const { encoding } = readEncodings(
    root,
    schemas,
    isObject(media) ? media['encoding'] : {},
    pointer,
  );
  const required = member(flat, 'required');
  return Object.entries(properties).map(([property, schema]) => {
    const { contentType, style, explode, allowReserved } = encoding[property] ?? {};
    const isStyled = [style, explode, allowReserved].some((one) => one !== undefined);
    const isDocument =
      !isStyled &&
      (contentType === undefined ? isObjectSchema(schemas, schema) : isJson(contentType));
    return {
      ...AS_FORM,
      ...(style === undefined ? {} : { style, explode: style === 'form' }),
      ...(explode === undefined ? {} : { explode }),
      ...(allowReserved === undefined ? {} : { allowReserved }),
      ...(isDocument ? { mediaType: 'application/json' } : {}),
      name: property,
      required: Array.isArray(required) && required.includes(property),
      schema,
      annotations: {},
    };
  });
};

const AS_FORM = { in: 'query', style: 'form', explode: true, allowReserved: false } as const;

/** Whether members that no property describes may be sent. */
const isOpen = (schema: JsonObject): boolean => {
  const further = member(schema, 'additionalProperties');
  return further === true || isObject(further) || Object.hasOwn(schema, 'anyOf');
};

const isObjectSchema = (schemas: Pick<Schemas, 'flat'>, schema: Json): boolean =>
  isObject(schema) && readTypes(schemas.flat(schema)).includes('object');
