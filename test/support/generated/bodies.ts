import * as fc from 'fast-check';
import {
  isModern,
  isSwagger,
  joined,
  type Node,
  oneOf,
  optional,
  type Version,
  without,
} from './dialect.ts';
import { scalars } from './scalars.ts';
import { schemas } from './schemas.ts';
import { text } from './words.ts';

/** What an operation says of its body: `requestBody`, or parameters and `consumes` in Swagger 2.0. */
export const body = (version: Version): fc.Arbitrary<Node> =>
  isSwagger(version) ? swaggerBody(version) : requestBody(version);

const requestBody = (version: Version): fc.Arbitrary<Node> =>
  joined(
    fc.record({ content: content(version) }),
    optional({ required: fc.boolean(), description: text }),
  ).map((requestBody): Node => ({ requestBody }));

const content = (version: Version): fc.Arbitrary<Node> => {
  const { any, object } = schemas(version);
  const plain = fc.record({ schema: fc.oneof(any, object) });
  const alone = (type: string) => plain.map((media): Node => ({ [type]: media }));
  return fc.oneof(
    { weight: 4, arbitrary: alone('application/json') },
    alone('application/vnd.api+json; charset=utf-8'),
    alone('*/*'),
    fc.tuple(plain, plain).map(([json, xml]) => ({ 'application/xml': xml, 'text/json': json })),
    form(version).map((media): Node => ({ 'application/x-www-form-urlencoded': media })),
    multipart(version).map((media): Node => ({ 'multipart/form-data': media })),
    oneOf<Node>(
      { 'text/plain': { schema: { type: 'string' } } },
      { 'application/xml': { schema: { type: 'object', properties: { a: { type: 'string' } } } } },
      { 'application/octet-stream': bytes(version) },
      { 'image/*': bytes(version) },
    ),
  );
};

const bytes = (version: Version): Node =>
  isModern(version) ? {} : { schema: { type: 'string', format: 'binary' } };

/** A form of plain values, lists, and objects in each way that an encoding names. */
const form = (version: Version): fc.Arbitrary<Node> => {
  const scalar = scalars(version);
  const list = scalar.map((items): Node => ({ type: 'array', items }));
  const object = scalar.map((inner): Node => ({
    type: 'object',
    properties: { inner },
    required: ['inner'],
  }));
  return fc
    .tuple(
      fc.record({ field: scalar, 'list[]': list, deep: object, json: object, csv: list }),
      oneOf<readonly string[]>([], ['field'], ['list[]', 'deep']),
    )
    .map(([properties, required]): Node => ({
      schema: { type: 'object', properties, ...(required.length > 0 ? { required } : {}) },
      encoding: {
        deep: { style: 'deepObject', explode: true },
        json: { contentType: 'application/json' },
        csv: { style: 'form', explode: false },
      },
    }));
};

const multipart = (version: Version): fc.Arbitrary<Node> => {
  const scalar = scalars(version);
  const file: Node = isModern(version)
    ? { type: 'string', contentMediaType: 'application/octet-stream' }
    : { type: 'string', format: 'binary' };
  return fc
    .tuple(scalar, oneOf<readonly string[]>([], ['file'], ['note', 'file']))
    .map(([note, required]): Node => ({
      schema: {
        type: 'object',
        properties: {
          note,
          file,
          'more files': { type: 'array', items: file },
          about: { type: 'object', properties: { note } },
        },
        ...(required.length > 0 ? { required } : {}),
      },
      encoding: { file: { contentType: 'image/png' } },
    }));
};

const swaggerBody = (version: Version): fc.Arbitrary<Node> => {
  const inJson = fc.tuple(schemas(version).any, fc.boolean()).map(([schema, required]): Node => ({
    parameters: [{ name: 'the body', in: 'body', required, schema }],
    consumes: ['application/json'],
  }));
  const fields = fc.array(scalars(version), { minLength: 1, maxLength: 3 }).map((all) =>
    all.map((schema, index): Node => ({
      ...without(schema, 'description'),
      name: `field ${index}`,
      in: 'formData',
      required: index === 0,
    })),
  );
  const inForm = fields.map((parameters): Node => ({
    parameters,
    consumes: ['application/x-www-form-urlencoded'],
  }));
  const withFile = fields.map((parameters): Node => ({
    parameters: [...parameters, { name: 'file', in: 'formData', type: 'file', required: true }],
    consumes: ['multipart/form-data'],
  }));
  return fc.oneof(inJson, inForm, withFile);
};
