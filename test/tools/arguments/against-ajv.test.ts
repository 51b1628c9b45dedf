import { describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { readValue } from '../../../layers/tools/arguments/read-value.ts';
import { shapesOf } from '../../../layers/tools/arguments/shape.ts';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { runs } from '../../support/generated/runs.ts';

/** JSON and the texts that clients send in its place; few of them, so that they meet often. */
const name = fc.constantFrom('a', 'b', 'x_1');
const TEXTS = ['1', '2.5', 'true', 'null', '{"a":1}', '[1,"2"]', '{', '007'];
const PLAIN = [null, true, false, 0, 1, 2, 3, 2.5, -1, '', 'a', 'b', 'abc', '😀', 'aaaa'];
const scalar = fc.constantFrom<Json>(...PLAIN, ...TEXTS);
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'medium' },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const values = fc.array(value, { minLength: 10, maxLength: 10 });

const number = fc.constantFrom(-1, 0, 1, 2, 2.5);
const count = fc.integer({ min: 0, max: 3 });
const names = fc.uniqueArray(name, { maxLength: 2 });
const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

const OF_TEXTS = { minLength: count, maxLength: count };
const OF_NUMBERS = {
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: fc.constantFrom(1, 0.5, 2),
};
const OF_LISTS = { minItems: count, maxItems: count, uniqueItems: fc.boolean() };
const OF_OBJECTS = {
  required: names,
  minProperties: count,
  maxProperties: count,
  dependentRequired: fc.dictionary(name, names, { maxKeys: 1, noNullPrototype: true }),
};

type Keywords = Record<string, fc.Arbitrary<Json>>;
type Part = fc.Arbitrary<Json>;

const inObjects = (part: Part, own: Part): Keywords => ({
  properties: fc.dictionary(name, part, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  additionalProperties: part,
  propertyNames: part,
  dependentSchemas: fc.dictionary(name, own, { maxKeys: 1, noNullPrototype: true }),
});
const inTuples = (part: Part): Keywords => ({
  items: part,
  prefixItems: fc.array(part, { minLength: 1, maxLength: 2 }),
});
/** Apart from the above: Ajv takes the outcome of `prefixItems` for that of `contains` on an empty list. */
const inLists = (part: Part): Keywords => ({
  items: part,
  contains: part,
  minContains: count,
  maxContains: count,
});
const inPlace = (part: Part, decider: Part, refs: readonly string[]): Keywords => ({
  allOf: fc.array(part, { minLength: 1, maxLength: 2 }),
  anyOf: fc.array(part, { minLength: 1, maxLength: 3 }),
  not: decider,
  if: decider,
  ...Object.fromEntries(['then', 'else'].map((keyword) => [keyword, part])),
  ...(refs.length > 0 ? { $ref: fc.constantFrom(...refs.map((ref) => `#/$defs/${ref}`)) } : {}),
});

/** Some of these keywords, seldom many: they would rule everything out. */
const someOf = (keywords: Keywords, maxLength: number): fc.Arbitrary<JsonObject> =>
  fc
    .subarray(Object.keys(keywords), { minLength: 1, maxLength })
    .chain((chosen) =>
      fc.record(Object.fromEntries(chosen.map((key) => [key, keywords[key] ?? fc.constant(null)]))),
    );

const ANY_TYPE: Keywords = {
  type: fc.oneof(
    fc.constantFrom(...TYPES),
    fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
  ),
  enum: fc.uniqueArray(value, {
    minLength: 1,
    maxLength: 4,
    selector: (one) => JSON.stringify(one),
  }),
  const: value,
};
const SCALAR: Keywords = { ...ANY_TYPE, ...OF_TEXTS, ...OF_NUMBERS, ...OF_LISTS, ...OF_OBJECTS };

/**
 * Schemas of every keyword that is checked, with references to these definitions where they stand, and to
 * the whole from properties and items. What decides between schemas (`not`, `if`) is without patterns: they
 * are not tried on long texts, so that nothing is decided by them.
 */
const schemas = (refs: { readonly exact: readonly string[]; readonly any: readonly string[] }) =>
  fc.letrec<{ any: Json; exact: Json; inside: Json }>((tie) => {
    const kinds = (
      scalars: Keywords,
      own: Part,
      part: Part,
      further: Keywords,
      to: readonly string[],
    ) =>
      fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.oneof(
          { weight: 9, arbitrary: someOf(scalars, 2) },
          { weight: 1, arbitrary: fc.boolean() },
        ),
        someOf({ ...ANY_TYPE, ...inObjects(part, own), ...OF_OBJECTS, ...further }, 3),
        someOf({ ...ANY_TYPE, ...inTuples(part), ...OF_LISTS }, 3),
        someOf({ ...ANY_TYPE, ...inLists(part), ...OF_LISTS }, 3),
        someOf({ ...ANY_TYPE, ...inPlace(own, tie('exact'), to) }, 3),
      );
    const patternProperties = fc.dictionary(fc.constantFrom('^x_', 'a|b', '1$'), tie('inside'), {
      maxKeys: 2,
      noNullPrototype: true,
    });
    return {
      exact: kinds(SCALAR, tie('exact'), tie('exact'), {}, refs.exact),
      any: kinds(
        { ...SCALAR, pattern: fc.constantFrom('^a', 'b$', '^.{2}$', '^[a-z]+$') },
        tie('any'),
        tie('inside'),
        { patternProperties },
        refs.any,
      ),
      inside: fc.oneof(
        { weight: 5, arbitrary: tie('any') },
        { weight: 1, arbitrary: fc.constant({ $ref: '#/$defs/Root' }) },
      ),
    };
  });

const anySchema: fc.Arbitrary<JsonObject> = fc
  .record({
    Exact: schemas({ exact: [], any: [] }).exact,
    Shared: schemas({ exact: ['Exact'], any: ['Exact'] }).any,
    Root: schemas({ exact: ['Exact'], any: ['Exact', 'Shared'] }).any,
  })
  .map(($defs) => ({ $ref: '#/$defs/Root', $defs }));

/**
 * Schemas that name their types, as the compiler writes them. Alternatives that are objects name every
 * property: a text for what only one of them knows would be read as that one wants it.
 */
const typedSchema: fc.Arbitrary<JsonObject> = fc.letrec<{ typed: JsonObject }>((tie) => {
  const typed = (type: string, keywords: Keywords) =>
    someOf(keywords, 2).map((rest): JsonObject => ({ ...rest, type }));
  const fields = fc.dictionary(name, tie('typed'), { maxKeys: 3, noNullPrototype: true });
  const closed = fields.map((properties): JsonObject => ({
    type: 'object',
    properties,
    additionalProperties: false,
  }));
  return {
    typed: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.oneof(
        typed('string', OF_TEXTS),
        typed('integer', OF_NUMBERS),
        typed('number', OF_NUMBERS),
        fc.constantFrom<JsonObject>({ type: 'boolean' }, { type: ['integer', 'null'] }),
        fc.constantFrom<JsonObject>({ enum: ['a', '1', null] }, { enum: [1, true] }),
      ),
      typed('array', { ...OF_LISTS, items: tie('typed') }),
      typed('object', { ...OF_OBJECTS, properties: fields, additionalProperties: tie('typed') }),
      fc
        .array(fc.oneof(closed, typed('string', OF_TEXTS), typed('integer', OF_NUMBERS)), {
          minLength: 1,
          maxLength: 3,
        })
        .map((anyOf): JsonObject => ({ anyOf })),
      fc.tuple(tie('typed'), tie('typed')).map((allOf): JsonObject => ({ allOf })),
    ),
  };
}).typed;

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  logger: false,
  code: { optimize: false },
});

const compiled = (schema: JsonObject): ValidateFunction => {
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return validate;
};

describe('reading a value by a schema', () => {
  test('comes to the verdict of Ajv on what it makes of the value', () => {
    const verdicts = { accepted: 0, refused: 0 };
    const property = fc.property(anySchema, values, (schema, given) => {
      const validate = compiled(schema);
      const shapes = shapesOf(schema, false);
      for (const one of given) {
        const { value: read, unreadable, broken } = readValue(shapes, one);
        const isAccepted = broken.length === 0;
        verdicts[isAccepted ? 'accepted' : 'refused'] += 1;
        expect(unreadable).toEqual([]);
        expect({ schema, read, isAccepted }).toEqual({
          schema,
          read,
          isAccepted: validate(read),
        });
      }
    });

    fc.assert(property, { numRuns: runs(400), seed: 20260 });
    expect(verdicts.accepted).toBeGreaterThan(runs(1000));
    expect(verdicts.refused).toBeGreaterThan(runs(1000));
  });

  test('leaves what Ajv accepts as it is', () => {
    let accepted = 0;
    const property = fc.property(typedSchema, values, (schema, given) => {
      const validate = compiled(schema);
      const shapes = shapesOf(schema, false);
      for (const one of given.filter((each) => validate(each))) {
        accepted += 1;
        expect(readValue(shapes, one)).toEqual({
          value: one,
          sent: one,
          unreadable: [],
          broken: [],
        });
      }
    });

    fc.assert(property, { numRuns: runs(500), seed: 20261 });
    expect(accepted).toBeGreaterThan(runs(300));
  });
});
