import { describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { compiled, onlyOf, propertiesOf, readTool } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

const string = { type: 'string' };
const pet = {
  type: 'object',
  required: ['id'],
  properties: {
    id: string,
    name: string,
    kind: { ...string, enum: ['cat', 'dog'] },
    fixed: { const: 'a' },
    owner: { $ref: '#/components/schemas/Owner' },
    labels: { type: 'object', additionalProperties: string },
    friends: { type: 'array', items: { type: 'object', properties: { name: string } } },
  },
};
const schemas = {
  Owner: {
    type: 'object',
    properties: { name: string, boss: { $ref: '#/components/schemas/Owner' } },
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
    { name: null },
    { kind: null },
    { owner: null },
    { owner: { name: null, boss: null } },
    { labels: { colour: null } },
  ])('removes a member that may be left out, and is sent: %j', (args) => {
    expect(patch('application/merge-patch+json').sent(args)).toBe(JSON.stringify(args));
  });

  test.each<JsonObject>([{ id: null }, { friends: [{ name: null }] }])(
    'is refused for what must be there, and in a list, which is replaced as a whole: %j',
    (args) => {
      expect(() => patch('application/merge-patch+json').sent(args)).toThrow('invalid_params');
    },
  );

  test('is in the schema, and in words', () => {
    const { tool } = patch('application/merge-patch+json; charset=utf-8');

    expect(propertiesOf(tool)).toMatchObject({
      id: { type: 'string' },
      name: { type: ['string', 'null'] },
      kind: { type: ['string', 'null'], enum: ['cat', 'dog'] },
      owner: { type: ['object', 'null'], properties: { name: { type: ['string', 'null'] } } },
    });
    expect(tool.description).toContain('null removes what it is given for.');
  });

  test.each(['application/json', 'application/json-patch+json', 'application/vnd.api+json'])(
    'is no value of its own in %s',
    (mediaType) => {
      const { tool } = patch(mediaType);

      expect(JSON.stringify(tool.inputSchema)).not.toContain('null');
      expect(tool.description).not.toContain('null removes');
    },
  );
});
