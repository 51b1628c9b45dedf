import { describe, expect, test } from '@jest/globals';
import { answerShapes } from '../../../layers/openapi/output/output-schema.ts';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { onlyOf, swagger } from '../../support/openapi/compile.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { anOperation } from '../../support/openapi/intake.ts';
import { answering, schemaOf, structuredTools } from '../../support/openapi/output-validators.ts';

const OURS = {
  _note: { type: 'string', description: 'Why the answer is not here as it is.' },
  _answer: { description: 'An answer of another form.' },
  _parts: {
    type: 'array',
    items: { type: 'string' },
    description: 'URIs of the rest of a long answer.',
  },
};

const outputOf = (schema: JsonObject, components: JsonObject = {}) =>
  onlyOf(answering(schema, components).tools).output;
const wholeSchema = (schema: JsonObject, components: JsonObject = {}) =>
  schemaOf(onlyOf(answering(schema, components).tools));

/** The schema without what stands in every one of them. */
const propertiesOf = (schema: JsonObject, components: JsonObject = {}) => {
  const { _note, _answer, _parts, ...properties } = wholeSchema(schema, components).properties;
  expect({ _note, _answer, _parts }).toEqual(OURS);
  return properties;
};
/** What a property becomes. */
const inside = (schema: Json, components: JsonObject = {}) =>
  propertiesOf({ type: 'object', properties: { p: schema } }, components).p;

describe('the output schema of a tool', () => {
  test('has an object at its root, with the properties of the answer and three of the service', () => {
    expect(
      wholeSchema({
        type: 'object',
        description: 'A pet.',
        required: ['name'],
        additionalProperties: false,
        properties: { name: { type: 'string', minLength: 1, description: 'As it is called.' } },
      }),
    ).toEqual({
      type: 'object',
      description: 'A pet.',
      properties: {
        name: { type: ['string', 'null'], description: 'As it is called.' },
        ...OURS,
      },
    });
  });

  const loosened: readonly [string, Json, JsonObject][] = [
    ['a format', { type: 'string', format: 'date-time' }, { type: ['string', 'null'] }],
    [
      'a pattern no client could compile',
      { type: 'string', pattern: '(?P<x>)' },
      { type: ['string', 'null'] },
    ],
    ['limits', { type: 'integer', minimum: 1, exclusiveMaximum: 9 }, { type: ['integer', 'null'] }],
    [
      'boolean limits of old',
      { type: 'number', exclusiveMinimum: true },
      { type: ['number', 'null'] },
    ],
    ['null that is allowed already', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['nullable without a type', { nullable: true, description: 'x' }, { description: 'x' }],
    ['null alone', { type: 'null' }, { type: ['null'] }],
    ['what may be anything', {}, {}],
    ['anything', true, {}],
    [
      'an enum',
      { type: 'string', enum: ['a', 'b'] },
      { type: ['string', 'null'], description: 'One of: a, b.' },
    ],
    [
      'a constant with a description',
      { const: 1, description: 'The form.' },
      { type: ['integer', 'null'], description: 'The form. One of: 1.' },
    ],
    [
      'a list with limits',
      { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'boolean' } },
      { type: ['array', 'null'], items: { type: ['boolean', 'null'] } },
    ],
    [
      'a list whose first items are others',
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
      { type: ['array', 'null'] },
    ],
    ['a list of anything', { type: 'array', items: {} }, { type: ['array', 'null'] }],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'string' } },
      { type: ['object', 'null'] },
    ],
    [
      'members of requests alone',
      {
        type: 'object',
        properties: { id: { type: 'integer', readOnly: true }, secret: { writeOnly: true } },
      },
      { type: ['object', 'null'], properties: { id: { type: ['integer', 'null'] } } },
    ],
    [
      'allOf',
      {
        allOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'null' } } }],
      },
      {
        type: ['object', 'null'],
        properties: { a: { type: ['string', 'null'] }, b: { type: ['null'] } },
      },
    ],
    [
      'a value or null',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { type: ['string', 'null'] },
    ],
    [
      'one of several types',
      { oneOf: [{ type: 'integer' }, { type: 'number' }, { type: 'string' }] },
      { type: ['number', 'string', 'null'] },
    ],
    ['anything or a text', { oneOf: [{}, { type: 'string' }] }, {}],
    [
      'one of several objects',
      {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'a' }, size: { type: 'integer' } } },
          { type: 'object', properties: { kind: { const: 'b' }, size: { type: 'string' } } },
        ],
      },
      {
        type: ['object', 'null'],
        properties: {
          kind: { type: ['string', 'null'], description: 'One of: a, b.' },
          size: { type: ['integer', 'string', 'null'] },
        },
      },
    ],
    [
      'one of several objects, of which one may be any',
      { oneOf: [{ type: 'object', properties: { a: {} } }, { type: 'object' }] },
      { type: ['object', 'null'] },
    ],
    [
      'an object and its alternatives',
      {
        type: 'object',
        properties: { id: { type: 'string' } },
        anyOf: [
          { properties: { a: { type: 'string' } } },
          { properties: { b: { type: 'string' } } },
        ],
      },
      {
        type: ['object', 'null'],
        properties: {
          id: { type: ['string', 'null'] },
          a: { type: ['string', 'null'] },
          b: { type: ['string', 'null'] },
        },
      },
    ],
    ['not', { not: { type: 'string' } }, {}],
  ];

  test.each(loosened)('is loosened: %s', (_, schema, expected) => {
    expect(inside(schema)).toEqual(expected);
  });

  test('says nothing of the form of what contains itself, however it refers to itself', () => {
    const node = (next: Json) => ({
      Node: { type: 'object', properties: { name: { type: 'string' }, next } },
    });
    const inNode = {
      type: ['object', 'null'],
      properties: { name: { type: ['string', 'null'] }, next: {} },
    };
    const ref = { $ref: '#/components/schemas/Node' };

    expect(inside(ref, node(ref))).toEqual(inNode);
    expect(inside(ref, node({ type: 'array', items: ref }))).toEqual({
      ...inNode,
      properties: { ...inNode.properties, next: { type: ['array', 'null'] } },
    });
    expect(inside(ref, node({ anyOf: [ref, { type: 'null' }] }))).toMatchObject({
      properties: { next: { type: ['object', 'null'] } },
    });
  });

  test('writes a component out wherever it is used', () => {
    const ref = { $ref: '#/components/schemas/Money' };
    const Money = { type: 'object', properties: { cents: { type: 'integer' } } };
    const written = {
      type: ['object', 'null'],
      properties: { cents: { type: ['integer', 'null'] } },
    };

    expect(propertiesOf({ type: 'object', properties: { a: ref, b: ref } }, { Money })).toEqual({
      a: written,
      b: written,
    });
  });

  test('leaves the type out of members that every object inherits', () => {
    const properties = { constructor: { type: 'string' }, toString: { type: 'string' } };
    expect(propertiesOf({ type: 'object', properties })).toEqual({ constructor: {}, toString: {} });
  });
});

describe('the form of an answer', () => {
  const object = (count: number) => ({
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, true])),
  });

  test('is any where there are more than 50 alternatives', () => {
    const kinds = (count: number) => ({
      anyOf: Array.from({ length: count }, (_, at) => ({ ...object(1), description: String(at) })),
    });
    expect(inside(kinds(49))).toMatchObject({ type: ['object', 'null'] });
    expect(inside(kinds(50))).toEqual({});
  });

  test('is any for all schemas that come after very much work', () => {
    const shapes = answerShapes({ flat: (schema) => schema }, 100);
    const first = object(99);

    expect(shapes([first]).types).toEqual(['object']);
    expect(shapes([{ type: 'string' }]).types).toEqual([]);
    expect(shapes([first]).types).toEqual(['object']);
  });
});

describe('an answer that is no object', () => {
  test('has a name of its own', () => {
    const output = outputOf({ type: 'array', description: 'Pets.', items: { type: 'string' } });

    expect(output).toMatchObject({ result: 'result', hasObjects: false });
    expect(JSON.parse(output?.schema ?? '')).toEqual({
      type: 'object',
      properties: {
        result: {
          type: ['array', 'null'],
          description: 'Pets.',
          items: { type: ['string', 'null'] },
        },
        ...OURS,
      },
    });
  });

  test('may be one besides objects, which stand as they are', () => {
    const list = { type: 'array', items: { type: 'integer' } };
    const object = { type: 'object', properties: { result: { type: 'string' } } };
    const output = outputOf({ oneOf: [list, object, { type: 'null' }] });

    expect(output).toMatchObject({ result: '_hosted_result', hasObjects: true });
    expect(propertiesOf({ oneOf: [list, object] })).toEqual({
      result: { type: ['string', 'null'] },
      _hosted_result: { type: ['array', 'null'], items: { type: ['integer', 'null'] } },
    });
  });

  test('that is an object or null is an object', () => {
    expect(outputOf({ type: ['object', 'null'] })).toMatchObject({ hasObjects: true });
    expect(outputOf({ type: ['object', 'null'] })).not.toHaveProperty('result');
  });
});

describe('a name of the service', () => {
  test('gives way to one of the API', () => {
    const properties = { _note: { type: 'integer' }, _parts: {}, _hosted_parts: {} };
    const output = outputOf({ type: 'object', properties });

    expect(output?.names).toEqual({
      note: '_hosted_note',
      answer: '_answer',
      parts: '_hosted_hosted_parts',
    });
    expect(JSON.parse(output?.schema ?? '').properties).toEqual({
      _note: { type: ['integer', 'null'] },
      _parts: {},
      _hosted_parts: {},
      _hosted_note: OURS._note,
      _answer: OURS._answer,
      _hosted_hosted_parts: OURS._parts,
    });
  });
});

const json = (schema?: JsonObject, type = 'application/json') => ({
  description: '',
  content: { [type]: schema ? { schema } : {} },
});
const PET = { type: 'object', properties: { name: { type: 'string' } } };
const SAME = {
  type: 'object',
  description: 'Another text.',
  properties: { name: { type: ['string', 'null'] } },
};
const OTHER = { type: 'object', properties: { name: { type: 'integer' } } };

const ofResponses = (responses: JsonObject, method = 'get') => {
  const operation = anOperation({ operationId: 'answer', responses });
  const { tools, notes, warnings } = structuredTools({ '/answer': { [method]: operation } });
  return {
    schema: schemaOf(onlyOf(tools)),
    notes: notes.get('answer')?.map(({ what, why }) => `${what}: ${why}`),
    warnings,
  };
};

describe('the answer that is described', () => {
  const one: readonly [string, JsonObject][] = [
    ['200', { 200: json(PET) }],
    ['any success', { '2XX': json(PET) }],
    ['equal ones, of which the first counts', { 200: json(PET), 201: json(SAME) }],
    ['one beside an answer without a body', { 200: json(PET), 204: { description: '' } }],
    ['one beside errors', { 200: json(PET), 404: json(OTHER), default: json(OTHER) }],
    [
      'one beside other types',
      { 200: { ...json(PET), content: { 'text/csv': {}, ...json(PET).content } } },
    ],
    [
      'JSON of a name of its own',
      { 200: json(PET, 'application/vnd.pets.v1+json; charset=utf-8') },
    ],
    ['any type', { 200: json(PET, '*/*') }],
  ];
  test.each(one)('is %s', (_, responses) => {
    const { schema, notes, warnings } = ofResponses(responses);
    expect(schema.properties.name).toEqual({ type: ['string', 'null'] });
    expect(notes).toEqual([]);
    expect(warnings).toEqual([]);
  });

  const none: readonly [string, JsonObject, string][] = [
    [
      'several that differ',
      { 200: json(PET), 201: json(OTHER) },
      'several different answers are described',
    ],
    [
      'one with and one without a schema',
      { 200: json(PET), 201: json() },
      'several different answers are described',
    ],
    [
      'one of any form',
      { 200: json({ description: 'Something.' }) },
      'the description says nothing of the form of a JSON answer',
    ],
    [
      'JSON without a schema',
      { 200: json() },
      'the description says nothing of the form of a JSON answer',
    ],
    [
      'text',
      { 200: json(PET, 'text/plain') },
      'the description says nothing of the form of a JSON answer',
    ],
    [
      'bytes',
      { 200: json({ type: 'string', format: 'binary' }, '*/*') },
      'the description says nothing of the form of a JSON answer',
    ],
    [
      'errors alone',
      { 404: json(PET), default: json(PET) },
      'the description says nothing of the form of a JSON answer',
    ],
  ];
  test.each(none)('is none where there is %s', (_, responses, why) => {
    expect(ofResponses(responses)).toEqual({
      schema: undefined,
      notes: [`has no output schema: ${why}`],
      warnings: [],
    });
  });

  test('is none of HEAD', () => {
    expect(ofResponses({ 200: json(PET) }, 'head').schema).toBeUndefined();
  });

  test('is that of Swagger 2.0 as well, where it produces JSON', () => {
    const described = (produces: readonly string[], schema: JsonObject) =>
      schemaOf(
        onlyOf(
          compiled(swagger({ produces, responses: { 200: { description: '', schema } } }), {
            hasOutput: () => true,
          }).tools,
        ),
      );
    expect(described(['application/json'], PET)).toMatchObject({ type: 'object' });
    expect(described([], PET)).toMatchObject({ type: 'object' });
    expect(described(['application/xml'], PET)).toBeUndefined();
    expect(described([], { type: 'file' })).toBeUndefined();
  });
});
