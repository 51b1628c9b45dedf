import { describe, expect, test } from '@jest/globals';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import type { JsonObject } from '../../../layers/platform/rules/json/json.ts';
import { readArguments } from '../../../layers/tools/arguments/read-arguments.ts';
import { prepareTool } from '../../../layers/tools/prepare-tool.ts';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';

const item = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] };
const list = { type: 'array', items: item };

const sent = (mediaType: string, media: JsonObject, body: JsonObject[string]) => {
  const requestBody = { required: true, content: { [mediaType]: media } };
  const { tools } = compiled(
    aDescription({ openapi: '3.2.0', paths: { '/a': { post: anOperation({ requestBody }) } } }),
  );
  const [indexed] = toToolIndex(tools).tools;
  if (!indexed) throw new Error('no tool');
  const tool = prepareTool(indexed);
  return String(buildRequest(tool, readArguments(tool, { body })).body);
};

describe('a body of JSON lines', () => {
  test.each<[string, JsonObject]>([
    ['a list', { schema: list }],
    ['its items', { itemSchema: item }],
    ['one line', { schema: item }],
  ])('is a list of its lines where the description has %s', (_, media) => {
    for (const type of ['application/x-ndjson', 'application/jsonl', 'application/ndjson']) {
      expect(sent(type, media, [{ a: 1 }, { a: 2 }])).toBe('{"a":1}\n{"a":2}\n');
    }
  });

  test('begins each text with its separator as a sequence', () => {
    expect(sent('application/json-seq', { schema: list }, [{ a: 1 }, { a: 2 }])).toBe(
      '\x1e{"a":1}\n\x1e{"a":2}\n',
    );
  });

  test('may be its text, and is that alone where no lines are described', () => {
    const text = '{"a":1}\n{"a":2}\n';

    expect(sent('application/x-ndjson', { schema: list }, text)).toBe(text);
    expect(sent('application/x-ndjson', {}, text)).toBe(text);
    expect(() => sent('application/x-ndjson', {}, [{ a: 1 }])).toThrow('invalid_params');
  });

  test('has lines that are checked', () => {
    expect(() => sent('application/x-ndjson', { schema: list }, [{ b: 1 }])).toThrow(
      'invalid_params',
    );
  });

  test('is no form of other text', () => {
    expect(() => sent('text/csv', { schema: list }, [{ a: 1 }])).toThrow('invalid_params');
  });
});
