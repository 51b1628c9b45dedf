import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { ApiRefusal } from '../../../layers/platform/rules/refusal/api-refusal.ts';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import type { Description } from '../../../layers/openapi/document.ts';
import { readDescription } from '../../../layers/openapi/intake/read-description.ts';
import { runs } from '../../support/generated/runs.ts';

const LIMITS = { maxBytes: 20_000, maxDepth: 6 };

const SEED = `openapi: 3.1.0
info: { title: Pets, version: '1' }
paths:
  /pets/{id}:
    parameters: &shared
      - { name: id, in: path, required: true, schema: { type: string } }
    get:
      operationId: getPet
      tags: [pets]
      responses: { 200: { $ref: '#/components/responses/Pet' } }
    put:
      parameters: *shared
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } }
      responses: { 200: { $ref: '#/components/responses/Pet' } }
components:
  responses:
    Pet: { description: fine, content: { application/json: { schema: { $ref: '#pet' } } } }
  schemas:
    Pet: { $anchor: pet, properties: { next: { $ref: '#/components/schemas/Pet' } } }
`;

/** What attackers and editors put into descriptions. */
const FRAGMENTS = [
  '__proto__: 1\n',
  '"__proto__":',
  'constructor',
  '&a ',
  '*a',
  '*shared',
  '<<: *shared\n',
  '<<: ',
  '$ref: ',
  "$ref: '#'",
  "$ref: '#/paths'",
  "$ref: ''",
  '$ref: "%"',
  '$id: x\n',
  '$anchor: ',
  '- ',
  '? ',
  ': ',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  "'",
  '|\n',
  '>\n',
  '!!str ',
  '!!binary ',
  '!x ',
  '%YAML 1.2\n',
  '---\n',
  '...\n',
  '#',
  '\t',
  '\n',
  '\r\n',
  '  ',
  '\0',
  '\uFEFF',
  '\uD800',
  '.nan',
  '1e999',
  '-0',
  'null',
  '~',
  'true',
  'x-',
  'paths:\n',
  'swagger: 2.0\n',
  'openapi: 3\n',
  'parameters:\n',
  'additionalOperations:\n',
  'query:\n',
] as const;

const edit = fc.record({
  at: fc.noBias(fc.nat({ max: 9999 })),
  remove: fc.constantFrom(0, 0, 1, 8),
  insert: fc.oneof(fc.constantFrom(...FRAGMENTS), fc.string({ unit: 'binary', maxLength: 4 })),
});

const mutated = (seed: string) =>
  fc.array(edit, { minLength: 1, maxLength: 3 }).map((edits) =>
    edits.reduce((text, { at, remove, insert }) => {
      const start = Math.floor((at / 10_000) * text.length);
      return text.slice(0, start) + insert + text.slice(start + remove);
    }, seed),
  );

/** A description, or a refusal that says what is wrong: anything else is thrown on. */
const outcome = (text: string | Uint8Array): Description | ApiRefusal => {
  try {
    return readDescription(text, LIMITS);
  } catch (error) {
    if (error instanceof ApiRefusal) return error;
    throw error;
  }
};

const expectSound = (result: Description | ApiRefusal) => {
  if (result instanceof ApiRefusal) {
    expect(result.findings.length).toBeGreaterThan(0);
    expect(result.findings.length).toBeLessThanOrEqual(20);
    return;
  }
  expect(result.operations.length).toBeGreaterThan(0);
  const written = JSON.stringify(result.root);
  expect(JSON.parse(written)).toEqual(result.root);
  expect(written).not.toContain('"__proto__":');
};

const SETTINGS = { seed: 20_250_326, numRuns: runs(800) };

/** The seed as JSON. */
const JSON_SEED = JSON.stringify(readDescription(SEED, LIMITS).root);

const aNode: fc.Arbitrary<Json> = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, '', '#', '#/paths', 'x', [], {}),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        '$ref',
        'get',
        'query',
        '/a',
        '/{b}',
        'paths',
        'parameters',
        'name',
        'in',
        'schema',
        'items',
        'properties',
        'allOf',
        'content',
        'responses',
        'requestBody',
        'callbacks',
        'tags',
        '$id',
        '$anchor',
        'x-a',
        'constructor',
        'additionalOperations',
        'operationId',
        'headers',
        'examples',
      ),
      tie('node'),
      { maxKeys: 5 },
    ),
  ),
})).node;

describe('any text at all', () => {
  test.each([
    ['YAML', SEED],
    ['JSON', JSON_SEED],
  ])('made of %s is read or refused, never anything else', (_, seed) => {
    fc.assert(
      fc.property(mutated(seed), (text) => expectSound(outcome(text))),
      SETTINGS,
    );
  });

  test('made of bytes is read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => expectSound(outcome(bytes))),
      SETTINGS,
    );
  });

  test('made of the words of OpenAPI is read or refused', () => {
    const members = fc.record({ paths: aNode, components: aNode, definitions: aNode, info: aNode });
    fc.assert(
      fc.property(fc.constantFrom('3.0.0', '3.1.0', '3.2.0'), members, (openapi, others) =>
        expectSound(outcome(JSON.stringify({ openapi, ...others }))),
      ),
      { ...SETTINGS, numRuns: runs(1000) },
    );
  });

  test('is read or refused when it is an operation with anything in it', () => {
    fc.assert(
      fc.property(aNode, aNode, (get, components) =>
        expectSound(
          outcome(JSON.stringify({ openapi: '3.2.0', paths: { '/{a}': { get } }, components })),
        ),
      ),
      { ...SETTINGS, numRuns: runs(1000) },
    );
  });
});
