import { isObject, type Json, type JsonObject } from '../../platform/rules/json/json.ts';
import { streamForm } from '../../target/rules/stream-elements.ts';
import { readTypes } from '../json-schema/types.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import type { OperationBody } from '../tool-index.ts';
import { fileSchema, isFile, textOrFileSchema } from './files.ts';

/** Schema for forms described as a string, file or list: they have fields whose names only the API knows. */
export const namelessFields = (
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): JsonObject => {
  const flat = isObject(schema) ? schemas.flat(schema) : {};
  const { description } = flat;
  const text = typeof description === 'string' ? `${description} ` : '';
  return {
    type: 'object',
    description: `${text}The fields of the form, by their names.`,
    additionalProperties:
      isFile(flat) || flat['items'] !== undefined
        ? { type: 'string', format: 'binary' }
        : { type: 'string' },
  };
};

/** Text and bytes are one argument, whatever their schema. */
export const schemaIn = (
  form: OperationBody['form'],
  mediaType: string,
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
  bytesType: string | undefined,
): Json | undefined => {
  if (form === 'binary') return fileSchema(`The body (${mediaType}).`);
  if (form !== 'text') return schema;
  const lines =
    streamForm(mediaType) === 'lines' ? linesSchema(mediaType, schema, schemas) : undefined;
  if (lines) return lines;
  const text: Json | undefined = isOnly('string', schema, schemas)
    ? schema
    : { type: 'string', description: `The body as text (${mediaType}).` };
  return bytesType === undefined ? text : textOrFileSchema(text ?? {}, mediaType, bytesType);
};

/** Schema of a body of JSON lines whose items are described; a list, or its text. */
const linesSchema = (
  mediaType: string,
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): JsonObject | undefined => {
  const isItem = isOnly('object', schema, schemas);
  if (schema === undefined || !(isItem || isOnly('array', schema, schemas))) return undefined;
  return {
    description: `The lines of the body (${mediaType}) as a list, or their text.`,
    anyOf: [isItem ? { type: 'array', items: schema } : schema, { type: 'string' }],
  };
};

export const stringContent = (
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): 'text' | 'bytes' | undefined => {
  if (isObject(schema) && isFile(schemas.flat(schema))) return 'bytes';
  return isOnly('string', schema, schemas) ? 'text' : undefined;
};

export const isOnly = (
  type: 'string' | 'array' | 'object',
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): boolean => {
  const types = isObject(schema) ? readTypes(schemas.flat(schema)) : [];
  return types.length === 1 && types[0] === type;
};

export const mayBeObject = (schema: Json | undefined, schemas: Pick<Schemas, 'flat'>): boolean => {
  const types = isObject(schema) ? readTypes(schemas.flat(schema)) : [];
  return types.length === 0 || types.includes('object');
};
