import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { argumentOf, rootOf, toolOf } from '../../support/openapi/compile.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('a schema of OpenAPI 3.0', () => {
  test.each<[string, Json, Json]>([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'nullable values',
      { type: 'string', enum: ['a'], nullable: true },
      { type: ['string', 'null'], enum: ['a'] },
    ],
    [
      'exclusiveMinimum: true',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      'exclusiveMaximum: false',
      { type: 'number', maximum: 1, exclusiveMaximum: false },
      { type: 'number', maximum: 1 },
    ],
    ['example', { type: 'string', example: 'Rex' }, { type: 'string', examples: ['Rex'] }],
    ['xml and externalDocs', { type: 'string', xml: { name: 'x' } }, { type: 'string' }],
    [
      'deprecated',
      { type: 'string', description: 'Old.', deprecated: true },
      { type: 'string', description: 'Old. Deprecated.' },
    ],
    [
      'format: byte',
      { type: 'string', format: 'byte' },
      { type: 'string', contentEncoding: 'base64', description: 'Base64 text.' },
    ],
    [
      'format: byte of what is said to be base64',
      { type: 'string', format: 'byte', description: 'The key (Base64).' },
      { type: 'string', contentEncoding: 'base64', description: 'The key (Base64).' },
    ],
    [
      'format: byte with a description',
      { type: 'string', format: 'byte', description: 'The key.' },
      { type: 'string', contentEncoding: 'base64', description: 'The key. Base64 text.' },
    ],
    [
      'another contentEncoding',
      { type: 'string', format: 'base64url' },
      { type: 'string', description: 'base64url text.' },
    ],
    [
      'an encoding that models do not know',
      { type: 'string', contentEncoding: 'base64url' },
      { type: 'string', description: 'base64url text.' },
    ],
    [
      'a known format',
      { type: 'string', format: 'date-time' },
      { type: 'string', format: 'date-time' },
    ],
    [
      'an unknown format',
      { type: 'string', format: 'snowflake' },
      { type: 'string', description: 'Format: snowflake.' },
    ],
    ['a format of numbers', { type: 'integer', format: 'int64' }, { type: 'integer' }],
    [
      'a nullable choice',
      { nullable: true, oneOf: [{ type: 'string' }, { type: 'boolean' }] },
      { anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'null' }] },
    ],
  ])('becomes JSON Schema 2020-12 where it has %s', (_, schema, expected) => {
    expect(argumentOf(schema, {}, '3.0.3')).toEqual(expected);
  });
});

describe('a schema of OpenAPI 3.1', () => {
  test.each<[string, Json, Json]>([
    ['type lists', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['const', { const: 'a' }, { type: 'string', enum: ['a'] }],
    [
      'prefixItems, closed',
      { type: 'array', prefixItems: [{ type: 'string' }], items: false },
      { type: 'array', maxItems: 1, items: {}, prefixItems: [{ type: 'string' }] },
    ],
    [
      'if and else',
      { type: 'object', if: { required: ['a'] }, else: { required: ['b'] } },
      { type: 'object', description: 'Unless a is given, b is required.' },
    ],
    ['not', { type: 'string', not: { const: 'a' } }, { type: 'string', description: 'Not: a.' }],
    [
      'unevaluatedProperties: false',
      { type: 'object', properties: { a: true }, unevaluatedProperties: false },
      { type: 'object', properties: { a: {} }, additionalProperties: false },
    ],
    [
      'contentEncoding and contentMediaType',
      { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
      { type: 'string', contentEncoding: 'base64', description: 'Base64 text.' },
    ],
    ['examples', { type: 'string', examples: ['a', 'b'] }, { type: 'string', examples: ['a'] }],
    ['a schema that is true', true, {}],
    [
      'properties that are false',
      { type: 'object', properties: { a: false, b: true }, required: ['a', 'b'] },
      { type: 'object', required: ['b'], properties: { b: {} } },
    ],
    [
      'patternProperties',
      { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
      { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
    ],
    [
      'patternProperties that could backtrack',
      {
        type: 'object',
        patternProperties: { '^(a+)+$': { type: 'string' } },
        additionalProperties: false,
      },
      { type: 'object' },
    ],
    [
      'more patternProperties than are ever tried',
      {
        type: 'object',
        patternProperties: Object.fromEntries(
          Array.from({ length: 21 }, (_, n) => [`^x${n}`, { type: 'string' }]),
        ),
        additionalProperties: false,
      },
      { type: 'object' },
    ],
    [
      'a choice with null, as zod-to-openapi writes it',
      { anyOf: [{ type: 'integer', minimum: 1 }, { nullable: true }] },
      { type: ['integer', 'null'], minimum: 1 },
    ],
    [
      'a choice with null',
      { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
      { type: ['integer', 'null'], minimum: 1 },
    ],
    [
      'a choice of values with texts',
      {
        oneOf: [
          { const: 'a', title: 'Ah' },
          { const: 'b', description: 'Be' },
        ],
      },
      { type: 'string', description: 'a: Ah; b: Be', enum: ['a', 'b'] },
    ],
    [
      'a choice of values that the schema narrows',
      {
        type: 'string',
        enum: ['b', 'd'],
        oneOf: [{ const: 'a' }, { const: 'b' }, { const: 'c' }, { const: 'd' }],
      },
      { type: 'string', enum: ['b', 'd'] },
    ],
    ['a choice with anything in it', { anyOf: [{ type: 'string' }, {}] }, {}],
    ['a choice of one', { oneOf: [{ type: 'string' }] }, { type: 'string' }],
    [
      'two choices at once',
      {
        oneOf: [{ type: 'string' }, { type: 'integer' }],
        anyOf: [{ type: 'string' }, { type: 'boolean' }],
      },
      {
        anyOf: [{ type: 'string' }, { type: 'integer' }],
        allOf: [{ anyOf: [{ type: 'string' }, { type: 'boolean' }] }],
      },
    ],
    [
      'titles of alternatives',
      { anyOf: [{ type: 'string', title: 'Name' }, { type: 'integer' }] },
      { anyOf: [{ type: 'string', description: 'Name' }, { type: 'integer' }] },
    ],
  ])('becomes a schema for model APIs where it has %s', (_, schema, expected) => {
    expect(argumentOf(schema)).toEqual(expected);
  });
});

describe('a schema that violates the specification', () => {
  test.each<[string, Json, Json]>([
    ['type: file', { type: 'file' }, { type: 'string' }],
    ['type: any', { type: 'any', description: 'x' }, { description: 'x' }],
    ['type: Int', { type: 'Int' }, { type: 'integer' }],
    [
      'no type, but properties',
      { properties: { a: true } },
      { type: 'object', properties: { a: {} } },
    ],
    [
      'no type, but items',
      { items: { type: 'string' } },
      { type: 'array', items: { type: 'string' } },
    ],
    ['no type, but values', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    ['an array without items', { type: 'array' }, { type: 'array', items: {} }],
    [
      'a list of items',
      { type: 'array', items: [{ type: 'string' }] },
      { type: 'array', items: {}, prefixItems: [{ type: 'string' }] },
    ],
    ['limits in quotes', { type: 'integer', minimum: '1' }, { type: 'integer', minimum: 1 }],
    ['limits that are none', { type: 'string', minLength: -1, maxLength: 'x' }, { type: 'string' }],
    ['limits that contradict', { type: 'integer', minimum: 5, maximum: 1 }, { type: 'integer' }],
    ['limits beyond exact numbers', { type: 'integer', maximum: 2 ** 63 }, { type: 'integer' }],
    [
      'values of 64 bits, which have lost digits',
      { type: 'integer', enum: [1, 2 ** 63], default: 2 ** 63, example: 2 ** 63 },
      { type: 'integer' },
    ],
    ['values of 64 bits for texts', { type: 'string', enum: ['a', 2 ** 63] }, { type: 'string' }],
    ['limits that are large', { type: 'number', maximum: 1.5e300 }, { type: 'number' }],
    ['limits of another type', { type: 'integer', maxLength: 3 }, { type: 'integer' }],
    ['values that are no list', { type: 'string', enum: 'a' }, { type: 'string' }],
    ['no values', { type: 'string', enum: [] }, { type: 'string' }],
    ['values twice', { type: 'string', enum: ['a', 'a'] }, { type: 'string', enum: ['a'] }],
    [
      'values of YAML',
      { type: 'string', enum: [true, 1] },
      { type: 'string', enum: ['true', '1'] },
    ],
    [
      'numbers in quotes',
      { type: 'integer', enum: ['1', '2'] },
      { type: 'integer', description: 'One of 1, 2.' },
    ],
    ['a default in quotes', { type: 'integer', default: '10' }, { type: 'integer', default: 10 }],
    ['a default of another type', { type: 'integer', default: 'many' }, { type: 'integer' }],
    ['an example of another type', { type: 'object', example: 'a=b' }, { type: 'object' }],
    ['a default of null', { type: 'string', default: null }, { type: 'string' }],
    [
      'required in a property',
      { type: 'object', properties: { a: { type: 'string', required: true } } },
      { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
    ],
    [
      'required without a property',
      { type: 'object', required: ['a'] },
      { type: 'object', required: ['a'], properties: { a: {} } },
    ],
    [
      'a pattern that does not compile',
      { type: 'string', pattern: '(?P<x>a)' },
      { type: 'string', description: 'Pattern: (?P<x>a)' },
    ],
    [
      'HTML and blanks in texts',
      { type: 'string', description: '<p>The <code>name</code>,\r\n\r\n\r\n\r\n  as  given.</p>' },
      { type: 'string', description: 'The name,\n\nas given.' },
    ],
  ])('is read as it is meant where it has %s', (_, schema, expected) => {
    expect(argumentOf(schema)).toEqual(expected);
  });
});

describe('the properties of a schema', () => {
  test('are left out, and not required, where only answers have them', () => {
    const schemas = { Id: { type: 'string', readOnly: true } };
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string', readOnly: true },
        other: ref('Id'),
        wrapped: { allOf: [{ type: 'string' }], readOnly: true },
        secret: { type: 'string', writeOnly: true },
      },
      required: ['id', 'other', 'wrapped', 'secret'],
    };

    expect(argumentOf(schema, schemas)).toEqual({
      type: 'object',
      required: ['secret'],
      properties: { secret: { type: 'string' } },
    });
  });

  test('are renamed at every depth to names that model APIs accept', () => {
    const schema = {
      type: 'object',
      properties: {
        'filter[x]': { type: 'string' },
        filter_x: { type: 'string' },
        'a b': { type: 'array', items: { type: 'object', properties: { 'c/d': true } } },
      },
      required: ['filter[x]'],
    };

    const { properties, required } = argumentOf(schema) as Record<string, JsonObject>;
    expect(Object.keys(properties ?? {})).toEqual(['filter_bracket_x', 'filter_x', 'a_b']);
    expect(required).toEqual(['filter_bracket_x']);
    expect(properties?.['a_b']).toMatchObject({ items: { properties: { c_d: {} } } });
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'may be called %s like a method of Object.prototype',
    (name) => {
      const schema = {
        type: 'object',
        properties: { [name]: { type: 'string' } },
        required: [name],
      };

      expect(argumentOf(schema)).toEqual(schema);
    },
  );
});

describe('the members of allOf', () => {
  test('are merged into one schema, since not all model APIs know allOf', () => {
    const schemas = {
      Base: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    };
    const schema = {
      description: 'A pet',
      allOf: [ref('Base'), { properties: { name: { type: 'string' } }, required: ['name'] }],
    };

    expect(argumentOf(schema, schemas)).toEqual({
      type: 'object',
      description: 'A pet',
      required: ['id', 'name'],
      properties: { id: { type: 'string' }, name: { type: 'string' } },
    });
  });

  test.each<[string, Json, Json]>([
    [
      'limits',
      [
        { type: 'number', minimum: 1, maximum: 9 },
        { minimum: 3, maximum: 5 },
      ],
      { type: 'number', minimum: 3, maximum: 5 },
    ],
    ['types', [{ type: ['string', 'null'] }, { type: 'string' }], { type: 'string' }],
    ['number and integer', [{ type: 'number' }, { type: 'integer' }], { type: 'integer' }],
    ['values', [{ enum: ['a', 'b'] }, { enum: ['b', 'c'] }], { type: 'string', enum: ['b'] }],
    [
      'one property twice',
      [
        { properties: { a: { type: 'string', minLength: 1 } } },
        { properties: { a: { type: 'string', maxLength: 9 } } },
      ],
      {
        type: 'object',
        properties: { a: { type: 'string', minLength: 1, maxLength: 9 } },
      },
    ],
    [
      'closed objects, which would refuse each other',
      [
        { type: 'object', properties: { a: true }, additionalProperties: false },
        { type: 'object', properties: { b: true } },
      ],
      { type: 'object', properties: { a: {}, b: {} } },
    ],
    [
      'two patterns',
      [
        { type: 'string', pattern: '^a' },
        { type: 'string', pattern: 'z$' },
      ],
      { type: 'string', pattern: '^a', allOf: [{ type: 'string', pattern: 'z$' }] },
    ],
    [
      'keywords named like methods of objects',
      [
        { type: 'string', constructor: 1 },
        { toString: 2, constructor: 3 },
      ],
      { type: 'string' },
    ],
  ])('are merged where they have %s', (_, allOf, expected) => {
    expect(argumentOf({ allOf })).toEqual(expected);
  });
});

describe('a reference', () => {
  test('is replaced by its target, with the description beside it', () => {
    const schemas = { Name: { type: 'string', description: 'Any name.', minLength: 1 } };

    expect(
      argumentOf({ ...ref('Name'), description: 'Its name.', default: 'Rex' }, schemas),
    ).toEqual({
      type: 'string',
      description: 'Its name.',
      minLength: 1,
      default: 'Rex',
    });
  });

  test.each([
    ['3.0.3', { allOf: [ref('Name')], description: 'Its name.', nullable: true }],
    ['3.1.0', { anyOf: [ref('Name'), { type: 'null' }], description: 'Its name.' }],
  ])('may be null in OpenAPI %s', (version, schema) => {
    expect(argumentOf(schema, { Name: { type: 'string' } }, version)).toEqual({
      description: 'Its name.',
      anyOf: [{ type: 'string' }, { type: 'null' }],
    });
  });

  test('is merged with the keywords beside it from OpenAPI 3.1 on, and ignores them before', () => {
    const schemas = { Name: { type: 'string' } };
    const schema = { ...ref('Name'), maxLength: 5 };

    expect(argumentOf(schema, schemas, '3.1.0')).toEqual({ type: 'string', maxLength: 5 });
    expect(argumentOf(schema, schemas, '3.0.3')).toEqual({ type: 'string' });
  });

  test('stays a reference, to $defs, where its target contains itself', () => {
    const schemas = {
      Node: {
        type: 'object',
        properties: { label: ref('Label'), children: { type: 'array', items: ref('Node') } },
      },
      Label: { type: 'string' },
    };

    expect(rootOf(ref('Node'), schemas)).toEqual({
      type: 'object',
      properties: { value: { $ref: '#/$defs/Node' } },
      $defs: {
        Node: {
          type: 'object',
          properties: {
            label: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/Node' } },
          },
        },
      },
    });
  });

  test('has its description around it where it stays a reference', () => {
    const schemas = { Node: { type: 'object', properties: { next: ref('Node') } } };

    expect(argumentOf({ ...ref('Node'), description: 'First.' }, schemas)).toEqual({
      description: 'First.',
      anyOf: [{ $ref: '#/$defs/Node' }],
    });
  });

  test('may mean its own component as a dynamic reference', () => {
    const schemas = {
      Tree: {
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
      },
    };

    expect(rootOf(ref('Tree'), schemas)['$defs']).toEqual({
      Tree: {
        type: 'object',
        properties: { children: { type: 'array', items: { $ref: '#/$defs/Tree' } } },
      },
    });
  });
});

describe('schemas that require themselves in a circle', () => {
  test.each<[string, JsonObject, Json]>([
    ['a reference to itself', { A: { ...ref('A'), description: 'x' } }, { description: 'x' }],
    [
      'references to each other',
      { A: { ...ref('B'), description: 'x' }, B: { ...ref('A'), description: 'y' } },
      { description: 'x' },
    ],
    [
      'allOf of each other',
      {
        A: { allOf: [ref('B')], type: 'object', properties: { a: true } },
        B: { allOf: [ref('A')], type: 'object', properties: { b: true } },
      },
      { type: 'object', properties: { a: {}, b: {} } },
    ],
    [
      'anyOf of each other',
      {
        A: { anyOf: [ref('B'), { type: 'string' }] },
        B: { anyOf: [ref('A'), { type: 'number' }] },
      },
      {},
    ],
  ])('are cut: %s', (_, schemas, expected) => {
    expect(argumentOf(ref('A'), schemas)).toEqual(expected);
  });

  test('keep what a base schema and its subtypes mean', () => {
    const schemas = {
      Pet: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string' } },
        oneOf: [ref('Cat'), ref('Dog')],
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: ref('Cat').$ref, dog: ref('Dog').$ref },
        },
      },
      Cat: { allOf: [ref('Pet'), { properties: { lives: { type: 'integer' } } }] },
      Dog: { allOf: [ref('Pet'), { properties: { tricks: { type: 'integer' } } }] },
    };
    const kind = { kind: { type: 'string' } };

    expect(argumentOf(ref('Pet'), schemas)).toMatchObject({
      type: 'object',
      description: 'kind tells which kind it is: cat, dog.',
      properties: kind,
      anyOf: [
        { required: ['kind'], properties: { ...kind, lives: { type: 'integer' } } },
        { required: ['kind'], properties: { ...kind, tricks: { type: 'integer' } } },
      ],
    });
  });

  test('become a reference where the circle goes through a merged property', () => {
    const schemas = {
      Node: {
        type: 'object',
        properties: { next: { allOf: [ref('Node')], type: 'object', properties: { at: true } } },
      },
    };

    const { properties, $defs } = rootOf(ref('Node'), schemas);
    const [name] = Object.keys($defs as object);
    const next = { type: 'object', properties: { at: {}, next: { $ref: `#/$defs/${name}` } } };
    expect($defs).toEqual({ [String(name)]: next });
    expect(properties).toEqual({ value: { type: 'object', properties: { next } } });
  });
});

describe('a pattern that the example beside it breaks', () => {
  const Key = { type: 'string', pattern: '^\\w+$' };
  const inWords = { type: 'string', description: 'Pattern: ^\\w+$', examples: ['*'] };

  test('is described in words, and calls are not held against it', () => {
    expect(argumentOf({ ...Key, example: '*' })).toEqual(inWords);
    expect(argumentOf({ $ref: '#/components/schemas/Key', example: '*' }, { Key })).toEqual(
      inWords,
    );
  });

  test('stays where another use has no such example', () => {
    expect(argumentOf({ $ref: '#/components/schemas/Key', example: 'a' }, { Key })).toEqual({
      ...Key,
      examples: ['a'],
    });
  });

  test('is not checked either where only calls are held against it', () => {
    const schema = { type: 'string', pattern: '^\\p{L}+$', example: '1' };
    const { operation } = toolOf({ parameters: [{ name: 'value', in: 'query', schema }] });

    expect(operation.unlisted).toBeUndefined();
  });
});
