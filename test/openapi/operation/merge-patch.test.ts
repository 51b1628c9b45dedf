import { describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { withNulls } from '../../../layers/openapi/operation/merge-patch.ts';
import { compiled, onlyOf, propertiesOf, readTool } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

const string = { type: 'string' };
const pet = {
  type: 'object',
  required: ['id'],
  properties: {
    id: string,
    name: string,
    due: { type: ['string', 'null'] },
    owner: { $ref: '#/components/schemas/Owner' },
    labels: { type: 'object', additionalProperties: string },
    kinds: { type: 'object', additionalProperties: { ...string, enum: ['cat', 'dog'] } },
    friends: { type: 'array', items: { type: 'object', properties: { name: string } } },
  },
};
const schemas = {
  Owner: {
    type: 'object',
    properties: {
      name: string,
      boss: { $ref: '#/components/schemas/Owner' },
      notes: { type: 'object', additionalProperties: string },
    },
  },
};

const patch = (mediaType: string, schema: JsonObject = pet) => {
  const requestBody = { required: true, content: { [mediaType]: { schema } } };
  const { tools } = compiled(
    aDescription({
      openapi: '3.1.0',
      components: { schemas },
      paths: { '/a': { patch: anOperation({ requestBody }) } },
    }),
  );
  const [indexed] = toToolIndex(tools).tools;
  if (!indexed) throw new Error('no tool');
  const tool = prepareTool(indexed);
  return {
    tool: readTool(onlyOf(tools)),
    sent: (args: JsonObject) => String(buildRequest(tool, readArguments(tool, args)).body),
  };
};

describe('null in a merge patch', () => {
  test.each<JsonObject>([
    { due: null },
    { labels: { colour: null } },
    { kinds: { tom: null } },
    { owner: { notes: { a: null } } },
  ])('removes an entry of a map, or what is described as null too, and is sent: %j', (args) => {
    expect(patch('application/merge-patch+json').sent(args)).toBe(JSON.stringify(args));
  });

  test.each<JsonObject>([
    { id: null },
    { name: null },
    { owner: null },
    { owner: { name: null } },
    { friends: [{ name: null }] },
  ])(
    'is refused for any other member, since clients send it for what they left out: %j',
    (args) => {
      expect(() => patch('application/merge-patch+json').sent(args)).toThrow('invalid_params');
    },
  );

  test('is in the schema, and in words', () => {
    const { tool } = patch('application/merge-patch+json; charset=utf-8');

    expect(propertiesOf(tool)).toMatchObject({
      id: { type: 'string' },
      name: { type: 'string' },
      due: { type: ['string', 'null'] },
      labels: { additionalProperties: { type: ['string', 'null'] } },
      kinds: { additionalProperties: { type: ['string', 'null'], enum: ['cat', 'dog'] } },
    });
    expect(tool.description).toContain('null removes what it is given for, where it is allowed.');
  });

  test.each(['application/json', 'application/json-patch+json', 'application/vnd.api+json'])(
    'is no value of its own in %s',
    (mediaType) => {
      const { tool } = patch(mediaType);

      expect(JSON.stringify(propertiesOf(tool)['labels'])).not.toContain('null');
      expect(tool.description).not.toContain('null removes');
    },
  );
});

test('schemas that refer to each other are written in place up to a limit, once for all bodies', () => {
  const node: JsonObject = {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`m${at}`, { $ref: `#/${at % 5}` }] as const),
    ),
  };
  const nodes = Array.from({ length: 5 }, () => ({ ...node }));
  const flat = (schema: JsonObject): JsonObject =>
    '$ref' in schema ? (nodes[Number(String(schema['$ref']).slice(2))] ?? {}) : schema;
  const flats = { flat };
  const patched = withNulls(flats, { $ref: '#/0' });

  expect(JSON.stringify(patched).split('"nullable":true').length).toBeLessThan(1000);
  expect(withNulls(flats, { $ref: '#/0' })).toBe(patched);
});
