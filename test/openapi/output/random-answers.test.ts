import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { fitsOutput, structuredContent } from '../../../layers/tools/answer/structured-content.ts';
import { anOperation } from '../../support/openapi/intake.ts';
import { strictly } from '../../support/openapi/json-schema.ts';
import { officialVerdicts, structuredTools } from '../../support/openapi/output-validators.ts';
import { runs } from '../../support/generated/runs.ts';

const SEED = 20250618;
const DESCRIPTIONS = runs(20);
const ANSWERS = 100;
const TOGETHER = 20;

/** Names that code which is written from a schema, or a reader of schemas, could stumble over. */
const NAMES = [
  'a',
  'b',
  '',
  'constructor',
  'toString',
  'hasOwnProperty',
  '$ref',
  '$id',
  'type',
  'properties',
  '_note',
  '_answer',
  'result',
  'a/b~c%25',
  'it\'s "quoted" \\ `${x}`',
  'line\u2028separator',
  '\u0000\n',
  'ünï😀',
];
const COMPONENTS = ['A', 'B', 'C'];

const name = fc.constantFrom(...NAMES);
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 0, 1, -2.5, 1e300, 'a', '', '2024-01-01 10:00:00'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

/** Whatever stands in real descriptions, right or wrong. */
const schema: fc.Arbitrary<Json> = fc.letrec<{ schema: Json }>((tie) => {
  const list = fc.array(tie('schema'), { maxLength: 3 });
  const map = fc.dictionary(name, tie('schema'), { maxKeys: 4, noNullPrototype: true });
  const limit = fc.constantFrom<Json>(0, 3, -1, 'many', true, null);
  const keywords: Readonly<Record<string, fc.Arbitrary<Json>>> = {
    type: fc.constantFrom<Json>(
      'object',
      'array',
      'string',
      'integer',
      'number',
      'boolean',
      'null',
      'file',
      ['string', 'null'],
      ['object', 'array', 'object'],
      [],
      'wrong',
      7,
    ),
    description: fc.constantFrom<Json>('Text.', '"quoted" \\ \u2028', 'x'.repeat(500), 5, ''),
    title: fc.constantFrom<Json>('T', 1),
    nullable: fc.constantFrom<Json>(true, false, 'yes'),
    properties: map,
    patternProperties: map,
    additionalProperties: tie('schema'),
    required: fc.constantFrom<Json>(true, ['a'], ['a', 'a'], 'a', []),
    items: fc.oneof(tie('schema'), list),
    prefixItems: list,
    anyOf: list,
    oneOf: list,
    allOf: list,
    not: tie('schema'),
    if: tie('schema'),
    enum: fc.oneof(fc.array(value, { maxLength: 12 }), fc.constant<Json>('a')),
    const: value,
    default: value,
    example: value,
    pattern: fc.constantFrom<Json>('(?P<x>a)', '\\A', '[', '^a$', 3),
    format: fc.constantFrom<Json>('date-time', 'nonsense', 'binary', 1),
    minimum: limit,
    exclusiveMinimum: limit,
    maxLength: limit,
    minItems: limit,
    multipleOf: limit,
    readOnly: fc.boolean(),
    writeOnly: fc.boolean(),
    discriminator: fc.constantFrom<Json>('a', { propertyName: 'a' }),
    'x-mcp-header': fc.constant<Json>('X-Header'),
    $comment: fc.constant<Json>('none'),
    $anchor: fc.constant<Json>('here'),
    contentEncoding: fc.constant<Json>('base64'),
  };
  const some = fc
    .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
    .chain((keys) =>
      fc.record(Object.fromEntries(keys.map((key) => [key, keywords[key] ?? fc.constant(0)]))),
    );
  const reference = fc
    .constantFrom(...COMPONENTS)
    .map((component): Json => ({ $ref: `#/components/schemas/${component}` }));
  return {
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.constantFrom<Json>(true, {}, { type: 'string' }),
      some as fc.Arbitrary<Json>,
      reference,
      map.map((properties): Json => ({ type: 'object', properties })),
    ),
  };
}).schema;

const components = fc.record({ A: schema, B: schema, C: schema });

/** Tools of as many schemas as there are answers in a description. */
const toolsOf = (schemas: readonly Json[], known: JsonObject) => {
  const paths = Object.fromEntries(
    schemas.map((one, index) => {
      const content = { 'application/json': { schema: one } };
      const responses = { 200: { description: '', content } };
      return [`/answers/${index}`, { get: anOperation({ responses }) }];
    }),
  );
  return structuredTools(paths, { components: { schemas: known } }).tools;
};

const described = fc.sample(
  fc.tuple(fc.array(schema, { minLength: ANSWERS, maxLength: ANSWERS }), components),
  { numRuns: DESCRIPTIONS, seed: SEED },
);
const outputs = described.flatMap(([schemas, known]) =>
  toolsOf(schemas, known).flatMap(({ output }) => output ?? []),
);

/** The keywords of a schema and of all inside it, with their values. */
const keywordsIn = (node: JsonObject): readonly (readonly [string, Json])[] => {
  const { properties = {}, items } = node as { properties?: JsonObject; items?: JsonObject };
  const parts = [...Object.values(properties), ...(items ? [items] : [])] as readonly JsonObject[];
  return [...Object.entries(node), ...parts.flatMap(keywordsIn)];
};

describe('output schemas of whatever answers are described', () => {
  test('are many', () => {
    expect(outputs.length).toBeGreaterThan(50 * DESCRIPTIONS);
  });

  test('have four keywords in one form each, so that nothing in them can fail to compile', () => {
    const types = new Set('null boolean integer number string array object'.split(' '));
    const isGood = ([keyword, said]: readonly [string, Json]): boolean => {
      if (keyword === 'properties' || keyword === 'items') return true;
      if (keyword === 'description') return typeof said === 'string';
      const names = [said].flat();
      const isKnown = names.every((one) => typeof one === 'string' && types.has(one));
      const isEachOnce = names.length > 0 && new Set(names).size === names.length;
      return keyword === 'type' && isKnown && isEachOnce;
    };
    const parsed = outputs.map((output) => JSON.parse(output.schema) as JsonObject);
    expect(parsed.flatMap(keywordsIn).filter((one) => !isGood(one))).toEqual([]);
  });

  test('compile in the official clients, whose verdict on any value is ours; and what is sent fits', () => {
    const values = fc.sample(value, { numRuns: 200, seed: SEED });
    const misjudged: object[] = [];
    // Some at a time, since most of the time goes into beginning to compile.
    for (let from = 0; from < outputs.length; from += TOGETHER) {
      const some = outputs.slice(from, from + TOGETHER);
      const properties = some.map((output) => JSON.parse(output.schema) as JsonObject);
      const verdicts = officialVerdicts({ type: 'object', properties: { ...properties } });
      some.forEach((output, index) => {
        const schema = properties[index] ?? {};
        for (let at = 0; at < 4; at += 1) {
          const answer = values[((from + index) * 4 + at) % values.length] as Json;
          const sent = JSON.parse(structuredContent(output, JSON.stringify(answer)));
          const ours = fitsOutput(schema, answer);
          const isWrong = verdicts.some(
            (fits) => fits({ [index]: answer }) !== ours || !fits({ [index]: sent }),
          );
          if (isWrong) misjudged.push({ schema, answer, sent });
        }
      });
    }
    expect(misjudged).toEqual([]);
  });

  test('compile in strict JSON Schema 2020-12, too', () => {
    for (const { schema: text } of outputs.slice(0, runs(300))) strictly(JSON.parse(text));
  });
});
