import type { Finding } from '../../refusal.ts';
import type { OperationBody, PropertyEncoding } from '../../tool-index.ts';
import {
  type Description,
  type FoundOperation,
  isObject,
  type Json,
  type JsonObject,
  member,
  resolved,
} from '../document.ts';
import { fileSchema, withFiles } from './files.ts';
import { concrete, formOf, isXml, preferred } from './media-types.ts';
import { collectionStyle, isStyle } from './parameter-style.ts';
import { inlineSchema, type Parameters } from './parameters.ts';
import type { Schemas } from './schemas.ts';

/** The body of an operation, before it is decided how it stands among the arguments. */
export interface Body {
  readonly required: boolean;
  readonly mediaType: string;
  readonly form: OperationBody['form'];
  readonly schema: Json | undefined;
  readonly description?: Json;
  readonly encoding: Readonly<Record<string, PropertyEncoding>>;
  readonly warnings: readonly Finding[];
}

/** The body that an operation takes, in the media type that suits best. Source: tools.md, "Calling". */
export const readBody = (
  description: Description,
  schemas: Pick<Schemas, 'flat'>,
  found: FoundOperation,
  parameters: Pick<Parameters, 'body' | 'formData'>,
): Body | undefined =>
  description.dialect === 'swagger-2.0'
    ? swaggerBody(description.root, schemas, found, parameters)
    : requestBody(description.root, schemas, found);

const requestBody = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  { operation, pointer }: FoundOperation,
): Body | undefined => {
  const body = resolved(root, member(operation, 'requestBody') ?? null);
  const content = isObject(body) ? member(body, 'content') : undefined;
  if (!isObject(body) || !isObject(content)) return undefined;
  const key = preferred(Object.keys(content));
  if (key === undefined) return undefined;
  const media = resolved(root, content[key] ?? null);
  const { schema, itemSchema, encoding } = isObject(media) ? media : {};
  return finished(schemas, pointer, key, {
    required: member(body, 'required') === true,
    schema: schema ?? (itemSchema === undefined ? undefined : { type: 'array', items: itemSchema }),
    ...described(member(body, 'description')),
    encoding: isObject(encoding) ? readEncodings(encoding) : {},
  });
};

const swaggerBody = (
  root: JsonObject,
  schemas: Pick<Schemas, 'flat'>,
  { operation, pointer }: FoundOperation,
  { body, formData }: Pick<Parameters, 'body' | 'formData'>,
): Body | undefined => {
  const declared = [member(operation, 'consumes'), member(root, 'consumes')].find(Array.isArray);
  const consumes = (declared ?? []).filter((type) => typeof type === 'string');
  if (body) {
    const key = preferred(consumes) ?? 'application/json';
    const read = finished(schemas, pointer, key, {
      required: body['required'] === true,
      schema: member(body, 'schema'),
      ...described(member(body, 'description')),
      encoding: {},
    });
    return read.form === 'form' ? withNestedNames(read, schemas, pointer) : read;
  }
  if (formData.length === 0) return undefined;

  const hasFile = formData.some((parameter) => parameter['type'] === 'file');
  const forms = consumes.filter((type) => ['form', 'multipart'].includes(formOf(type)));
  const key = hasFile
    ? (forms.find((type) => formOf(type) === 'multipart') ?? 'multipart/form-data')
    : (preferred(forms) ?? 'application/x-www-form-urlencoded');
  const names = formData.map((parameter) => String(parameter['name']));
  const required = names.filter((_, index) => formData[index]?.['required'] === true);
  return finished(schemas, pointer, key, {
    required: required.length > 0,
    schema: {
      type: 'object',
      properties: entries(names, (index) => inlineSchema(formData[index] ?? {})),
      required,
    },
    encoding: Object.fromEntries(
      formData
        .filter((parameter) => parameter['type'] === 'array')
        .map((parameter) => {
          const isMulti = parameter['collectionFormat'] === 'multi';
          const { style, explode } = collectionStyle(parameter, 'query');
          return [String(parameter['name']), { style, explode: isMulti || explode }];
        }),
    ),
  });
};

const described = (description: Json | undefined) =>
  description === undefined ? {} : { description };

const entries = (names: readonly string[], value: (index: number) => Json): JsonObject =>
  Object.fromEntries(names.map((name, index) => [name, value(index)]));

const finished = (
  schemas: Pick<Schemas, 'flat'>,
  where: string,
  key: string,
  read: Pick<Body, 'required' | 'schema' | 'description' | 'encoding'>,
): Body => {
  const { mediaType, isGuess } = concrete(key);
  const form = formOf(mediaType);
  const warnings: Finding[] = [];
  if (isGuess) {
    const what = `the body may be any ${key}; it is sent as ${mediaType}`;
    warnings.push({ where, what, mend: 'Name the media type that the API takes.' });
  }
  if (isXml(mediaType)) {
    const what = 'the body is XML, which is sent as the text that the model writes';
    warnings.push({ where, what, mend: 'Offer JSON as well, if the API takes it.' });
  }
  const schema = form === 'multipart' ? withFiles(schemas, read.schema) : read.schema;
  return { ...read, schema: ofForm(form, mediaType, schema, schemas), mediaType, form, warnings };
};

/** Text and bytes are one argument, whatever the schema says of their inside. */
const ofForm = (
  form: Body['form'],
  mediaType: string,
  schema: Json | undefined,
  schemas: Pick<Schemas, 'flat'>,
): Json | undefined => {
  if (form === 'binary') return fileSchema(`The body (${mediaType}).`);
  if (form !== 'text') return schema;
  const flat = isObject(schema) ? schemas.flat(schema) : {};
  if (flat['type'] === 'string') return schema;
  return { type: 'string', description: `The body as text (${mediaType}).` };
};

const readEncodings = (encodings: JsonObject): Readonly<Record<string, PropertyEncoding>> =>
  Object.fromEntries(
    Object.entries(encodings).flatMap(([name, encoding]) => {
      if (!isObject(encoding)) return [];
      const { contentType, style, explode, allowReserved } = encoding;
      const read: PropertyEncoding = {
        ...(typeof contentType === 'string' ? { contentType } : {}),
        ...(isStyle(style) ? { style } : {}),
        ...(typeof explode === 'boolean' ? { explode } : {}),
        ...(typeof allowReserved === 'boolean' ? { allowReserved } : {}),
      };
      return Object.keys(read).length > 0 ? [[name, read] as const] : [];
    }),
  );

/** Swagger 2.0 leaves open how a form nests; `a[b]=c` is what nearly all servers read. */
const withNestedNames = (body: Body, schemas: Pick<Schemas, 'flat'>, where: string): Body => {
  const flat = isObject(body.schema) ? schemas.flat(body.schema) : {};
  const properties = member(flat, 'properties');
  const nested = Object.entries(isObject(properties) ? properties : {})
    .filter(([, part]) => isObject(part) && isNested(schemas.flat(part)))
    .map(([name]) => name);
  if (nested.length === 0) return body;
  const what =
    'the form has nested values, which Swagger 2.0 does not define; they are sent as a[b]=c';
  return {
    ...body,
    encoding: Object.fromEntries(
      nested.map((name) => [name, { style: 'deepObject', explode: true }] as const),
    ),
    warnings: [...body.warnings, { where, what, mend: 'Check one call of this operation.' }],
  };
};

const isNested = (schema: JsonObject): boolean =>
  ['properties', 'additionalProperties', 'items', 'anyOf'].some((key) =>
    Object.hasOwn(schema, key),
  );
