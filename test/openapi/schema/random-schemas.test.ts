import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { MODEL_APIS } from '../../../layers/openapi/model-apis/verdict.ts';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { onlyOf, readTool, rootOf, toolOf } from '../../support/openapi/compile.ts';
import { strictly } from '../../support/openapi/json-schema.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { runs } from '../../support/generated/runs.ts';

const SEED = { seed: 20250326, numRuns: runs(200) };
const NAMES = ['a', 'b', 'c'] as const;
const COMPONENTS = ['A', 'B', 'C'] as const;

const name = fc.constantFrom(...NAMES);
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 0, 1, 2.5, -3, 'a', 'b', 'abc', ''),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const count = fc.integer({ min: 0, max: 3 });
const optional = <Shape extends Record<string, fc.Arbitrary<Json>>>(shape: Shape) =>
  fc.record(shape, { requiredKeys: [] }) as unknown as fc.Arbitrary<JsonObject>;

/** Schemas that say of every value what they mean: a named type goes before what depends on it. */
const schema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => {
  const list = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  const of = (type: string, shape: Record<string, fc.Arbitrary<Json>>) =>
    fc
      .tuple(optional(shape), fc.boolean())
      .map(([keywords, isNullable]) => ({ type: isNullable ? [type, 'null'] : type, ...keywords }));
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      of('string', {
        minLength: count,
        maxLength: fc.integer({ min: 2, max: 4 }),
        pattern: fc.constantFrom('^a', 'b$', '^[a-c]*$'),
      }),
      of('integer', { minimum: count, exclusiveMaximum: fc.integer({ min: 1, max: 9 }) }),
      of('number', { multipleOf: fc.constantFrom(0.5, 1), maximum: count }),
      fc.constantFrom<JsonObject>({ type: 'boolean' }, { type: 'null' }, {}),
      fc.array(value, { minLength: 1, maxLength: 3 }).map((list): JsonObject => ({ enum: list })),
      value.map((one): JsonObject => ({ const: one })),
      of('array', {
        items: tie('schema'),
        prefixItems: list,
        minItems: count,
        uniqueItems: fc.boolean(),
      }),
      of('object', {
        properties: fc.dictionary(name, tie('schema'), { noNullPrototype: true }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        maxProperties: fc.integer({ min: 1, max: 3 }),
      }),
      list.map((allOf): JsonObject => ({ allOf })),
      list.map((anyOf): JsonObject => ({ anyOf })),
      list.map((oneOf): JsonObject => ({ oneOf })),
      fc
        .constantFrom(...COMPONENTS)
        .map((component): JsonObject => ({ $ref: `#/components/schemas/${component}` })),
    ),
  };
}).schema;

const schemas = fc.record({ A: schema, B: schema, C: schema });

describe('any schema', () => {
  test('becomes one that every model API accepts and that compiles in strict mode', () => {
    fc.assert(
      fc.property(schema, schemas, (one, components) => {
        const tool = toolOf(
          {
            parameters: [{ name: 'value', in: 'query', schema: one }],
            requestBody: { content: { 'application/json': { schema: one } } },
          },
          { openapi: '3.1.0', components: { schemas: components } },
        );

        for (const check of Object.values(MODEL_APIS)) expect(check(tool)).toEqual([]);
        strictly(tool.inputSchema);
      }),
      SEED,
    );
  });

  test('accepts at each level of detail every value that it accepts in full', () => {
    fc.assert(
      fc.property(
        schema,
        schemas,
        fc.integer({ min: 0, max: 200 }),
        fc.array(value, { minLength: 8, maxLength: 8 }),
        (one, components, tokenBudget, values) => {
          const operation = anOperation({
            parameters: [{ name: 'value', in: 'query', schema: one }],
          });
          const description = aDescription({
            openapi: '3.1.0',
            paths: { '/pets': { post: operation } },
            components: { schemas: components },
          });
          const [full, short] = [undefined, tokenBudget].map((budget) =>
            readTool(onlyOf(compiled(description, { tokenBudget: budget }).tools)),
          );
          if (!full || !short) throw new Error('two were made');
          for (const check of Object.values(MODEL_APIS)) expect(check(short)).toEqual([]);
          const takesAll = strictly(short.inputSchema);
          const takes = strictly(full.inputSchema);
          for (const sent of values) {
            if (takes({ value: sent }) && !takesAll({ value: sent })) {
              throw new Error(`${JSON.stringify(sent)}: ${JSON.stringify(short.inputSchema)}`);
            }
          }
        },
      ),
      SEED,
    );
  });

  test('accepts every value that the schema of the description accepts', () => {
    fc.assert(
      fc.property(
        schema,
        schemas,
        fc.array(value, { minLength: 8, maxLength: 8 }),
        (one, components, values) => {
          const before = originally(one, components);
          const after = strictly(rootOf(one, components));
          for (const sent of values) {
            if (before(sent) && !after({ value: sent })) {
              throw new Error(
                `${JSON.stringify(sent)} is refused: ${JSON.stringify(after.errors)}`,
              );
            }
          }
        },
      ),
      SEED,
    );
  });
});

describe('any JSON in the place of a schema', () => {
  test('is compiled to a tool that every model API accepts', () => {
    const keyword = fc.constantFrom(
      ...'type properties required items enum const anyOf oneOf allOf not additionalProperties'.split(
        ' ',
      ),
      ...'default example examples minimum maxLength pattern format description nullable'.split(
        ' ',
      ),
      ...'patternProperties prefixItems discriminator readOnly constructor toString'.split(' '),
    );
    const nonsense = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<Json>(
          null,
          true,
          false,
          -1,
          0.1,
          'object',
          'string',
          'array',
          '^(a',
          '__x',
        ),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(keyword, tie('json'), { maxKeys: 5, noNullPrototype: true }),
      ),
    })).json;

    fc.assert(
      fc.property(nonsense, (json) => {
        const { tools } = compiled(
          aDescription({
            openapi: '3.1.0',
            paths: {
              '/pets': {
                post: anOperation({
                  parameters: [{ name: 'value', in: 'query', schema: { properties: { a: json } } }],
                }),
              },
            },
          }),
        );
        for (const tool of tools.map(readTool)) {
          for (const check of Object.values(MODEL_APIS)) expect(check(tool)).toEqual([]);
          strictly(tool.inputSchema);
        }
      }),
      SEED,
    );
  });
});

/** Whether a value fits the schema as the description has it; circles without an end take nothing. */
const originally = (one: JsonObject, components: Readonly<Record<string, JsonObject>>) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const validate = endless(() => ajv.compile({ ...one, components: { schemas: components } }));
  return (sent: Json): boolean => endless(() => validate?.(sent)) === true;
};

const endless = <Result>(act: () => Result): Result | undefined => {
  try {
    return act();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
