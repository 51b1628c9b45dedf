import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import {
  argumentOf,
  compiled,
  onlyOf,
  propertiesOf,
  readTool,
  rootOf,
} from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

/** A condition of JSON Schema. */
const when = (condition: Json, consequence: Json, others: JsonObject = {}): JsonObject => ({
  if: condition,
  ...JSON.parse(`{"then":${JSON.stringify(consequence)}}`),
  ...others,
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A component as it is where it may only be of its own kind. */
const kindIn = ($defs: JsonObject, component: string): Json | undefined =>
  Object.entries($defs).find(([name]) => name.startsWith(`${component}_`))?.[1];

describe('a constraint that model APIs do not know', () => {
  test.each<[JsonObject, string]>([
    [{ dependentRequired: { a: ['b', 'c'] } }, 'If a is given, b, c are required.'],
    [{ dependencies: { a: ['b'] } }, 'If a is given, b is required.'],
    [
      { dependentRequired: { a: ['b'], c: ['d'] } },
      'If a is given, b is required. If c is given, d is required.',
    ],
    [{ dependentSchemas: { a: {} } }, 'The API checks further rules (dependentSchemas).'],
    [{ dependencies: { a: {} } }, 'The API checks further rules (dependencies).'],
    [{ not: { required: ['a', 'b'] } }, 'Not together: a, b.'],
    [{ not: { required: ['a'] } }, 'Not with a.'],
    [{ not: { properties: {} } }, 'The API checks further rules (not).'],
    [{ propertyNames: { pattern: '^[a-z]+$' } }, 'Names match ^[a-z]+$.'],
    [
      { propertyNames: { minLength: 2, maxLength: 9 } },
      'Names have at least 2 characters. Names have at most 9 characters.',
    ],
    [{ propertyNames: { enum: ['a', 'b'] } }, 'Names: a, b.'],
    [{ propertyNames: { format: 'uuid' } }, 'The API checks further rules (propertyNames).'],
    [
      when({ properties: { kind: { const: 'cat' } } }, { required: ['lives'] }),
      'If kind is cat, lives is required.',
    ],
    [
      when(
        { properties: { kind: { enum: ['cat', 'lion'] } }, required: ['kind'] },
        { required: ['lives', 'mane'] },
        { else: { required: ['tricks'] } },
      ),
      'If kind is cat or lion, lives, mane are required. Unless kind is cat or lion, tricks is required.',
    ],
    [when({ required: ['a', 'b'] }, { required: ['c'] }), 'If a and b are given, c is required.'],
    [
      when({ required: ['a'] }, { required: ['b'] }, { else: { properties: {} } }),
      'The API checks further rules (if).',
    ],
    [when({ minProperties: 1 }, {}), 'The API checks further rules (if).'],
  ])('becomes a sentence in the description of an object: %j', (rule, words) => {
    expect(argumentOf({ type: 'object', ...rule })).toEqual({ type: 'object', description: words });
  });

  test.each<[JsonObject, string]>([
    [{ contains: { const: 'a' } }, 'At least 1 of the items: a.'],
    [
      { contains: { enum: ['a', 'b'] }, minContains: 2, maxContains: 3 },
      'At least 2, at most 3 of the items: a, b.',
    ],
    [{ contains: { type: 'string' } }, 'The API checks further rules (contains).'],
  ])('becomes a sentence in the description of a list: %j', (rule, words) => {
    expect(argumentOf({ type: 'array', ...rule })).toEqual({
      type: 'array',
      description: words,
      items: {},
    });
  });

  test('becomes a sentence about values, beside the names of constraints that no short sentence describes', () => {
    const schema = { type: 'string', not: { enum: ['a', 'b'] }, contains: {} };

    expect(argumentOf(schema)).toMatchObject({
      description: 'Not: a, b. The API checks further rules (contains).',
    });
  });
});

describe('what a schema says of all other properties and items', () => {
  test.each<[string, Json, Json]>([
    [
      'unevaluatedProperties',
      { type: 'object', properties: { a: true }, unevaluatedProperties: { type: 'string' } },
      { type: 'object', properties: { a: {} }, additionalProperties: { type: 'string' } },
    ],
    [
      'unevaluatedProperties beside alternatives, which bring properties',
      {
        type: 'object',
        unevaluatedProperties: false,
        anyOf: [
          { properties: { a: { type: 'string' } } },
          { properties: { b: { type: 'string' } } },
        ],
      },
      {
        type: 'object',
        anyOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { type: 'object', properties: { b: { type: 'string' } } },
        ],
      },
    ],
    [
      'additionalProperties of one type beside alternatives, which bring others',
      {
        type: 'object',
        properties: { kind: { type: 'string' } },
        additionalProperties: { type: 'object' },
        anyOf: [
          { properties: { a: { type: 'string' } } },
          { properties: { b: { type: 'string' } } },
        ],
      },
      {
        type: 'object',
        properties: { kind: { type: 'string' } },
        anyOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { type: 'object', properties: { b: { type: 'string' } } },
        ],
      },
    ],
    [
      'unevaluatedItems: false',
      { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: false },
      { type: 'array', maxItems: 1, items: {}, prefixItems: [{ type: 'string' }] },
    ],
    [
      'unevaluatedItems',
      { type: 'array', prefixItems: [{ type: 'string' }], unevaluatedItems: { type: 'integer' } },
      { type: 'array', items: { type: 'integer' }, prefixItems: [{ type: 'string' }] },
    ],
  ])('is read from %s', (_, schema, expected) => {
    expect(argumentOf(schema)).toEqual(expected);
  });
});

describe('a discriminator', () => {
  const kind = { kind: { type: 'string' } };
  const Cat = { type: 'object', properties: { ...kind, lives: { type: 'integer' } } };
  const Dog = { type: 'object', properties: { ...kind, tricks: { type: 'integer' } } };
  const choice = (mapping: JsonObject) => ({
    oneOf: [ref('Cat'), ref('Dog')],
    discriminator: { propertyName: 'kind', mapping },
  });

  test('with a mapping gives each alternative its values, and the description lists them', () => {
    const mapping = { cat: ref('Cat').$ref, tom: ref('Cat').$ref, dog: 'Dog' };

    expect(argumentOf(choice(mapping), { Cat, Dog })).toMatchObject({
      description: 'kind tells which kind it is: cat, tom, dog.',
      anyOf: [
        { required: ['kind'], properties: { kind: { enum: ['cat', 'tom'] }, lives: {} } },
        { required: ['kind'], properties: { kind: { enum: ['dog'] }, tricks: {} } },
      ],
    });
  });

  test('adds nothing to alternatives that list their values themselves, or that its mapping does not name', () => {
    const own = { ...Cat, properties: { ...Cat.properties, kind: { const: 'CAT' } } };

    const { anyOf } = argumentOf(choice({ cat: ref('Cat').$ref }), { Cat: own, Dog });

    expect(anyOf).toEqual([
      expect.objectContaining({
        properties: { kind: { type: 'string', enum: ['CAT'] }, lives: { type: 'integer' } },
      }),
      expect.objectContaining({
        properties: { kind: { type: 'string' }, tricks: { type: 'integer' } },
      }),
    ]);
  });

  test('adds nothing where it has no mapping, or is a text as in Swagger 2.0', () => {
    const { mapping: _, ...bare } = choice({}).discriminator;

    const schema = { oneOf: [ref('Cat'), ref('Dog')], discriminator: bare };
    expect(JSON.stringify(argumentOf(schema, { Cat, Dog }))).not.toContain('enum');
    const text = { ...Cat, discriminator: 'kind' };
    expect(argumentOf(text, {}, '3.0.3')).toEqual(Cat);
  });

  test('lets alternatives that refer back to the choice be defined once', () => {
    const value = ref('Value');
    const schemas = {
      Value: choice({ cat: 'Cat', dog: 'Dog' }),
      Cat: { ...Cat, properties: { ...Cat.properties, friends: { type: 'array', items: value } } },
      Dog: { ...Dog, properties: { ...Dog.properties, prey: { type: 'array', items: value } } },
    };

    const { $defs } = rootOf(value, schemas) as { readonly $defs: JsonObject };

    expect($defs['Value']).toMatchObject({
      anyOf: [
        { $ref: expect.stringMatching(/^#\/\$defs\/Cat_/) },
        { $ref: expect.stringMatching(/^#\/\$defs\/Dog_/) },
      ],
    });
    expect(Object.keys($defs)).toHaveLength(3);
  });

  test('of a base schema lets subtypes that refer back to the base be defined once', () => {
    const Base = {
      type: 'object',
      required: ['kind'],
      properties: { ...kind, friend: ref('Base') },
      ...choice({ cat: 'Cat', dog: 'Dog' }),
    };
    const schemas = {
      Base,
      Cat: { allOf: [ref('Base'), { properties: { lives: { type: 'integer' } } }] },
      Dog: { allOf: [ref('Base'), { properties: { tricks: { type: 'integer' } } }] },
    };

    const { $defs } = rootOf(ref('Base'), schemas) as { readonly $defs: JsonObject };

    expect(kindIn($defs, 'Cat')).toMatchObject({
      properties: {
        kind: { enum: ['cat'] },
        lives: { type: 'integer' },
        friend: { $ref: '#/$defs/Base' },
      },
    });
    expect(kindIn($defs, 'Dog')).toMatchObject({ properties: { kind: { enum: ['dog'] } } });
  });
});

describe('a dynamic reference', () => {
  test('to an anchor that occurs once means the schema that has it', () => {
    const schemas = {
      List: { type: 'array', items: { $dynamicRef: '#item' } },
      Item: { $dynamicAnchor: 'item', type: 'string' },
    };

    expect(argumentOf(ref('List'), schemas)).toEqual({ type: 'array', items: { type: 'string' } });
  });

  test('to one of several anchors means the component it is in, if that has the anchor', () => {
    const schemas = {
      Tree: {
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { children: { type: 'array', items: { $dynamicRef: '#node' } } },
      },
      Other: { $dynamicAnchor: 'node', type: 'string' },
    };

    expect(rootOf(ref('Tree'), schemas)['$defs']).toMatchObject({
      Tree: { properties: { children: { items: { $ref: '#/$defs/Tree' } } } },
    });
  });

  test('to one of several anchors elsewhere takes any value, with a warning', () => {
    const schemas = {
      List: { type: 'array', items: { $dynamicRef: '#item' } },
      A: { $dynamicAnchor: 'item', type: 'string' },
      B: { $dynamicAnchor: 'item', type: 'integer' },
    };

    expect(argumentOf(ref('List'), schemas)).toEqual({ type: 'array', items: {} });
  });
});

describe('schemas that are composed of very much', () => {
  const compile = (schema: Json, schemas: JsonObject = {}) => {
    const parameters = [{ name: 'value', in: 'query', schema }];
    const { tools, warnings, notes } = compiled(
      aDescription({
        openapi: '3.1.0',
        paths: { '/pets': { get: anOperation({ operationId: 'get', parameters }) } },
        components: { schemas },
      }),
    );
    const { value } = propertiesOf(readTool(onlyOf(tools)));
    return { value, warnings, notes: notes.get('get') };
  };
  const object = (n: number) => ({ type: 'object', properties: { [`p${n}`]: true } });
  const WARNING = {
    where: '',
    what: '1 schemas have more than 500 alternatives or are composed more than 100 levels deep; any value is taken in their place',
    hint: 'Compose them of less, if calls should be checked.',
  };

  test('take any value and say so, where they are a union of 501', () => {
    const anyOf = Array.from({ length: 501 }, (_, n) => object(n));
    const { value, warnings, notes } = compile({ anyOf });

    expect(value).toEqual({ description: 'Has one of 501 forms, too many to list.' });
    expect(warnings).toContainEqual(WARNING);
    expect(notes).toContainEqual(expect.objectContaining({ what: 'any value is accepted' }));
  });

  test('keep all their alternatives, where they are a union of 500', () => {
    const anyOf = Array.from({ length: 500 }, (_, n) => object(n));

    expect(compile({ anyOf }).value?.['anyOf']).toHaveLength(500);
    expect(compile({ anyOf }).warnings).not.toContainEqual(WARNING);
  });

  test('become a list of values, however many, where their alternatives are nothing else', () => {
    const oneOf = Array.from({ length: 600 }, (_, n) => ({ const: `v${n}` }));

    expect(compile({ oneOf }).warnings).not.toContainEqual(WARNING);
  });

  test('take any value and say so, where allOf is nested 150 levels deep', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 150 }, (_, n) => [
        `S${n}`,
        { ...object(n), ...(n < 149 ? { allOf: [ref(`S${n + 1}`)] } : {}) },
      ]),
    );

    expect(compile(ref('S0'), schemas).warnings.map(({ what }) => what)).toContainEqual(
      expect.stringContaining('composed more than 100 levels deep'),
    );
  });
});

describe('alternatives that are built on a schema with a discriminator', () => {
  const built = (kind: JsonObject) => {
    const mapping = { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' };
    const discriminator = { propertyName: 'kind', mapping };
    const schemas = {
      Pet: { type: 'object', properties: { kind }, required: ['kind'], discriminator },
      Cat: { allOf: [{ $ref: '#/components/schemas/Pet' }] },
      Dog: { allOf: [{ $ref: '#/components/schemas/Pet' }] },
    };
    return argumentOf({ oneOf: Object.values(mapping).map(($ref) => ({ $ref })) }, schemas);
  };

  test.each<[string, JsonObject]>([
    ['without values', { type: 'string' }],
    ['with those of all kinds', { type: 'string', enum: ['cat', 'dog'] }],
  ])('have the values of its mapping, where its property is %s', (_, kind) => {
    expect(built(kind)['anyOf']).toMatchObject([
      { properties: { kind: { enum: ['cat'] } }, required: ['kind'] },
      { properties: { kind: { enum: ['dog'] } }, required: ['kind'] },
    ]);
  });

  test('keep values that the mapping does not have', () => {
    expect(built({ type: 'string', enum: ['CAT', 'DOG'] })['anyOf']).toMatchObject([
      { properties: { kind: { enum: ['CAT', 'DOG'] } } },
      { properties: { kind: { enum: ['CAT', 'DOG'] } } },
    ]);
  });
});

describe('a schema with a discriminator and subtypes', () => {
  const kind = { kind: { type: 'string' } };
  const Pet = { type: 'object', properties: kind, required: ['kind'], discriminator: 'kind' };
  const subtype = (parent: string, properties: JsonObject, more: JsonObject = {}) => ({
    allOf: [{ $ref: `#/definitions/${parent}` }, { properties }],
    ...more,
  });
  const swaggerBody = (definitions: JsonObject) => {
    const { tools } = compiled({
      swagger: '2.0',
      info: { title: 'Pets', version: '1' },
      host: 'api.example.com',
      paths: {
        '/pets': {
          post: anOperation({
            parameters: [
              { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } },
            ],
          }),
        },
      },
      definitions,
    });
    return propertiesOf(readTool(onlyOf(tools)));
  };

  test('may be any of its subtypes, in Swagger 2.0', () => {
    const definitions = {
      Pet,
      Cat: subtype('Pet', { lives: { type: 'integer' } }),
      Lion: subtype('Cat', { mane: { type: 'boolean' } }),
      Stone: { type: 'object', properties: { weight: { type: 'number' } } },
    };

    expect(swaggerBody(definitions)['body']).toMatchObject({
      properties: kind,
      anyOf: [
        { description: 'Cat', properties: { ...kind, lives: { type: 'integer' } } },
        {
          description: 'Lion',
          properties: { ...kind, lives: { type: 'integer' }, mane: { type: 'boolean' } },
        },
        { description: 'None of these.', type: 'object' },
      ],
    });
  });

  test('is one of its subtypes, where the description names the values of all', () => {
    const definitions = {
      Pet,
      Cat: subtype(
        'Pet',
        { lives: { type: 'integer' } },
        { 'x-ms-discriminator-value': 'Pets.Cat' },
      ),
      Dog: subtype(
        'Pet',
        { tricks: { type: 'integer' } },
        { 'x-ms-discriminator-value': 'Pets.Dog' },
      ),
    };

    expect(swaggerBody(definitions)['body']).toMatchObject({
      anyOf: [
        { description: 'Cat', properties: { kind: { enum: ['Pets.Cat'] }, lives: {} } },
        { description: 'Dog', properties: { kind: { enum: ['Pets.Dog'] }, tricks: {} } },
      ],
    });
  });

  test('is one of the subtypes that its mapping names, in OpenAPI 3', () => {
    const schemas = {
      Pet: {
        ...Pet,
        discriminator: { propertyName: 'kind', mapping: { cat: ref('Cat').$ref, dog: 'Dog' } },
      },
      Cat: { allOf: [ref('Pet'), { properties: { lives: { type: 'integer' } } }] },
      Dog: { allOf: [ref('Pet'), { properties: { friend: ref('Pet') } }] },
    };

    const { $defs } = rootOf(ref('Pet'), schemas) as { readonly $defs: JsonObject };

    expect($defs['Pet']).toMatchObject({
      anyOf: [
        { description: 'Cat', properties: { kind: { enum: ['cat'] }, lives: {} } },
        { description: 'Dog' },
      ],
    });
    expect(kindIn($defs, 'Dog')).toMatchObject({
      properties: { kind: { enum: ['dog'] }, friend: { $ref: '#/$defs/Pet' } },
    });
  });

  test('names its subtypes and takes their fields, where they are more than twenty', () => {
    const subtypes = Object.fromEntries(
      Array.from({ length: 21 }, (_, n) => [`K${n}`, subtype('Pet', { [`f${n}`]: true })]),
    );

    const properties = swaggerBody({ Pet, ...subtypes });
    expect(Object.keys(properties)).toEqual(['kind']);
    const { tools } = compiled({
      swagger: '2.0',
      info: { title: 'Pets', version: '1' },
      host: 'api.example.com',
      paths: {
        '/pets': {
          post: anOperation({
            parameters: [{ name: 'pet', in: 'body', schema: { $ref: '#/definitions/Pet' } }],
          }),
        },
      },
      definitions: { Pet: { ...Pet, required: [] }, ...subtypes },
    });
    expect(tools[0]?.operation.body?.source).toMatchObject({ additional: true });
    expect(JSON.stringify(tools)).toContain('May have the fields of one of its kinds: K0, K1');
  });

  // Each with all the subtypes of its own, this would fill the memory of any machine.
  test('is compiled also where thousands of base schemas share ten thousand subtypes', () => {
    const bases = Array.from({ length: 1000 }, (_, n) => `B${n}`);
    const subtypes = Array.from({ length: 10_000 }, (_, n) => `H${n}`);
    const refTo = (name: string) => ({ $ref: `#/definitions/${name}` });
    const fields = swaggerBody({
      Pet: { properties: Object.fromEntries(bases.map((name) => [name, refTo(name)])) },
      ...Object.fromEntries(bases.map((name) => [name, Pet])),
      ...Object.fromEntries(
        subtypes.map((name, n) => [
          name,
          { allOf: n > 0 ? [refTo(`H${n - 1}`)] : bases.map(refTo) },
        ]),
      ),
    });

    expect(Object.keys(fields)).toHaveLength(bases.length);
  });
});
