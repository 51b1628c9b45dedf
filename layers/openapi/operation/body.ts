import type { Finding } from '../../platform/rules/refusal/api-refusal.ts';
import type { OperationBody } from '../tool-index.ts';
import { isObject, type Json, type JsonObject, member } from '../../platform/rules/json/json.ts';
import { type Description, type FoundOperation, resolved } from '../document.ts';
import type { DescribedBody } from './described-body.ts';
import { readEncodings, withPartTypes, withTextParts } from './encodings.ts';
import { fileSchema, isFile, textOrFileSchema, withFiles } from './files.ts';
import {
  concreteMediaType,
  formOf,
  isXml,
  preferredMediaType,
  wantedMediaType,
  withinLimit,
} from './media-types.ts';
import type { Parameters } from './parameters.ts';
import type { Schemas } from '../schema/translate-schemas.ts';
import { swaggerBody } from './swagger-body.ts';
import { readTypes } from '../json-schema/types.ts';
import type { XmlOutline } from './xml-outline.ts';

/** The body of an operation, before it is decided how it stands among the arguments. */
export interface Body extends DescribedBody {
  readonly form: OperationBody['form'];
  /** Of a body that is text: the media type of bytes, which the API takes as well. */
  readonly bytesType?: string;
  /** What must be told of how to write it. */
  readonly notes: readonly string[];
}

export interface BodyContext {
  readonly description: Description;
  readonly schemas: Pick<Schemas, 'flat'>;
  readonly xmlOutline: XmlOutline;
}

/** The body that an operation takes, in the media type that suits best. Source: docs/tools.md, "Bodies". */
export const readBody = (
  { description, schemas, xmlOutline }: BodyContext,
  found: FoundOperation,
  parameters: Pick<Parameters, 'body' | 'formData'>,
): Body | undefined => {
  const body =
    description.dialect === 'swagger-2.0'
      ? swaggerBody(description.root, schemas, found, parameters)
      : requestBody(description.root, schemas, found);
  if (!body) return undefined;

  const { mediaType, isGuess } = concreteMediaType(
    body.mediaType,
    stringContent(body.schema, schemas),
  );
  const form = formOf(mediaType);
  const bytesType =
    form === 'text'
      ? withinLimit(body.offered).find((type) => formOf(type) === 'binary' && !type.includes('*'))
      : undefined;
  const isForm = form === 'multipart' || form === 'form';
  const isNameless = isForm && isString(body.schema, schemas);
  const described = isNameless ? namelessFields(body.schema, schemas) : body.schema;
  const encoding =
    form === 'multipart' ? withPartTypes(body.encoding, described, schemas) : body.encoding;
  const { schema, texts } =
    form === 'multipart'
      ? withTextParts(encoding, withFiles(schemas, described), schemas)
      : { schema: schemaIn(form, mediaType, described, schemas, bytesType), texts: [] };
  const warn = (what: string, hint: string): Finding => ({ where: found.pointer, what, hint });
  const warnings = [
    ...body.warnings,
    ...(isGuess
      ? [
          warn(
            `${body.mediaType.includes('*') ? `the body may be any ${body.mediaType}` : `${body.mediaType} is no media type`}; it is sent as ${mediaType}`,
            'Name the media type that the API takes.',
          ),
        ]
      : []),
    ...(isXml(mediaType)
      ? [
          warn(
            'the body is XML, which is sent as the text that the model writes',
            'Offer JSON as well, if the API takes it.',
          ),
        ]
      : []),
    ...texts.map((name) =>
      warn(
        `the part ${name} is an object, which is sent as the text that the model writes`,
        'Offer the part as JSON as well, if the API takes it.',
      ),
    ),
    ...(form === 'multipart' && !/^multipart\/form-data\b/i.test(mediaType)
      ? [
          warn(
            `the parts of ${mediaType} are written as those of multipart/form-data`,
            'Leave the operation out, unless the API reads them so.',
          ),
        ]
      : []),
    ...(isNameless
      ? [
          warn(
            `no field of ${mediaType} has a name; any field is sent`,
            'Describe the body as an object.',
          ),
        ]
      : []),
    ...(isForm && !mayBeObject(schema, schemas)
      ? [
          warn(
            `a body that is no object cannot be written as ${mediaType}; calls fail`,
            'Leave the operation out, or describe the body as an object.',
          ),
        ]
      : []),
  ];
  const outline = isXml(mediaType) ? xmlOutline(body.schema) : undefined;
  const notes = outline === undefined ? [] : [`In this form: ${outline}`];
  const bytes = bytesType === undefined ? {} : { bytesType };
  return { ...body, schema, mediaType, form, ...bytes, encoding, notes, warnings };
};

/** A form that is described as one text, or one file, has fields all the same: the API knows their names. */
const namelessFields = (schema: Json | undefined, schemas: Pick<Schemas, 'flat'>): JsonObject => {
  const flat = isObject(schema) ? schemas.flat(schema) : {};
  const { description } = flat;
  const text = typeof description === 'string' ? `${description} ` : '';
  return {
    type: 'object',
    description: `${text}The fields of the form, by their names.`,
    additionalProperties: isFile(flat) ? { type: 'string', format: 'binary' } : { type: 'string' },
  };
};

const requestBody = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  { operation, pointer }: FoundOperation,
): DescribedBody | undefined => {
  const body = resolved(root, member(operation, 'requestBody') ?? null);
  const content = isObject(body) ? member(body, 'content') : undefined;
  if (!isObject(body) || !isObject(content)) return undefined;
  const offered = Object.keys(content);
  const preferred = preferredMediaType(offered);
  if (preferred === undefined) return undefined;
  const mediaType = wantedMediaType(body, operation) ?? preferred;
  const media = resolved(root, member(content, mediaType) ?? content[preferred] ?? null);
  const { schema, itemSchema, encoding } = isObject(media) ? media : {};
  const description = member(body, 'description');
  return {
    mediaType,
    offered,
    required: member(body, 'required') === true,
    schema: schema ?? (itemSchema === undefined ? undefined : { type: 'array', items: itemSchema }),
    ...(description === undefined ? {} : { description }),
    ...readEncodings(root, schemas, encoding, pointer),
  };
};

/** Text and bytes are one argument, whatever the schema says of their inside. */
const schemaIn = (
  form: Body['form'],
  mediaType: string,
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
  bytesType: string | undefined,
): Json | undefined => {
  if (form === 'binary') return fileSchema(`The body (${mediaType}).`);
  if (form !== 'text') return schema;
  const text: Json | undefined = isString(schema, schemas)
    ? schema
    : { type: 'string', description: `The body as text (${mediaType}).` };
  return bytesType === undefined ? text : textOrFileSchema(text ?? {}, mediaType, bytesType);
};

/** What a body holds that is described as a string and nothing else. */
const stringContent = (
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): 'text' | 'bytes' | undefined => {
  if (isObject(schema) && isFile(schemas.flat(schema))) return 'bytes';
  return isString(schema, schemas) ? 'text' : undefined;
};

const isString = (schema: Json | undefined, schemas: Pick<Schemas, 'flat'>): boolean => {
  const types = isObject(schema) ? readTypes(schemas.flat(schema)) : [];
  return types.length === 1 && types[0] === 'string';
};

const mayBeObject = (schema: Json | undefined, schemas: Pick<Schemas, 'flat'>): boolean => {
  const types = isObject(schema) ? readTypes(schemas.flat(schema)) : [];
  return types.length === 0 || types.includes('object');
};
