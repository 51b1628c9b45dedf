import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../layers/platform/rules/json/json.ts';
import { compiled } from '../support/openapi/compile.ts';
import { aDescription, refusalOf } from '../support/openapi/intake.ts';

const named = (count: number, entry: (at: number) => readonly [string, JsonObject]): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => entry(at)));
const TEXT = { type: 'string' };

/** So many operations that are written once. */
const sharing = (count: number, post: JsonObject, schema: JsonObject = {}) =>
  aDescription({
    openapi: '3.1.0',
    paths: named(count, (at) => [`/p${at}`, { $ref: '#/components/pathItems/Shared' }]),
    components: { schemas: { Large: schema }, pathItems: { Shared: { post } } },
  });
const body = (schema: JsonObject, more: JsonObject = {}) => ({
  requestBody: { content: { 'multipart/form-data': { schema, ...more } } },
});
const LARGE = { $ref: '#/components/schemas/Large' };

// Each takes seconds or minutes, and up to gigabytes, where it is read for each of the operations.
describe('operations that share a large part of a description', () => {
  test.each([
    ['an operationId', sharing(2000, { operationId: 'x'.repeat(60_000) })],
    [
      'encodings of a body',
      sharing(2000, body({}, { encoding: named(3000, (at) => [`p${at}`, { style: 'form' }]) })),
    ],
    [
      'a body whose properties are required',
      sharing(2000, body(LARGE), {
        required: Array.from({ length: 20_000 }, (_, at) => `r${at}`),
        properties: { a: {} },
      }),
    ],
    [
      'values of a parameter',
      sharing(2000, {
        parameters: [
          {
            name: 'a',
            in: 'query',
            schema: { enum: Array.from({ length: 10_000 }, (_, at) => `value ${at}`) },
          },
        ],
      }),
    ],
  ])('are refused before all of them are read: %s', (_, description) => {
    expect(refusalOf(() => compiled(description, { toolMode: 'search' }))).toMatchObject({
      code: 'tool_list_too_large',
      description: expect.stringMatching(
        /^What the operations refer to takes more than 100000000 characters, counted for each|^The operations have more than 200000 arguments together/,
      ),
      findings: [{ hint: expect.stringContaining('Choose fewer operations') }],
    });
  });

  test('are refused before all of them are written, where their schemas are large', () => {
    const inside = { type: 'object', properties: { a: { type: 'array', items: LARGE } } };
    const properties = named(3000, (at) => [`p${at}`, TEXT]);
    const description = sharing(2000, body(inside), { type: 'object', properties });

    expect(refusalOf(() => compiled(description, { toolMode: 'search' }))).toMatchObject({
      code: 'tool_list_too_large',
      description: 'The tools take too long to be written.',
    });
  });

  test('are refused where what their lists leave out is large: it is kept for each', () => {
    const values = Array.from({ length: 20_000 }, (_, at) => at);
    const description = sharing(2000, body({ type: 'object', properties: { a: LARGE } }), {
      type: 'integer',
      enum: values,
    });

    expect(refusalOf(() => compiled(description))).toMatchObject({
      code: 'tool_list_too_large',
      description: 'The tools take too long to be written.',
    });
  });

  test('have no copy each of a long text that is the only value', () => {
    const described = { type: 'object', properties: { a: LARGE }, required: ['a'] };
    const required = { content: { 'application/json': { schema: described } }, required: true };
    const { tools } = compiled(
      sharing(1, { requestBody: required }, { enum: ['x'.repeat(60_000)] }),
    );

    expect(tools).toHaveLength(1);
    expect(tools[0]?.operation.constants).toBeUndefined();
  });

  test('have no copy each of thousands of headers of answers', () => {
    const headers = named(30, (at) => [`${'x'.repeat(90)}${at}`, { schema: TEXT }]);
    const responses = named(30, (at) => [`${200 + at}`, LARGE]);
    const { tools } = compiled(sharing(1, { responses }, { description: 'Fine.', headers }));
    const answers = JSON.stringify(tools[0]?.operation.answers);

    expect(answers).toContain('xxx');
    expect(answers.length).toBeLessThan(6000);
  });

  test('become tools where that is little', () => {
    const { tools } = compiled(sharing(2000, body({ type: 'object', properties: { a: TEXT } })), {
      toolMode: 'search',
    });

    expect(tools).toHaveLength(2000);
  });
});
