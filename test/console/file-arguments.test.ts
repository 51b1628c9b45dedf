import { describe, expect, test } from '@jest/globals';
import { argumentsOf, readArguments } from '../../console/src/pages/server/tools/tool-arguments.ts';
import { fileSchema, textOrFileSchema } from '../../layers/openapi/operation/files.ts';

describe('a form for a tool that takes files', () => {
  const chosen = { data: 'aGVsbG8=', filename: 'a.txt', contentType: 'text/plain' };
  const bare = { type: 'string', contentEncoding: 'base64' };
  test.each([
    ['a file with its name', fileSchema(undefined), 'file', chosen, 'aGVsbG8='],
    ['a file or nothing', fileSchema(undefined, true), 'file', chosen, 'aGVsbG8='],
    ['base64 alone', bare, 'file', chosen.data, 'aGVsbG8='],
    [
      'a list of them',
      { type: 'array', items: fileSchema(undefined) },
      'list of files',
      [chosen],
      ['aGVsbG8='],
    ],
    [
      'text or a file',
      textOrFileSchema({ type: 'string' }, 'a', 'b'),
      'text or file',
      chosen,
      'aGVsbG8=',
    ],
  ])(
    'takes a chosen file, or pasted base64 without quotes, for %s',
    (_, schema, type, sent, pasted) => {
      const file = argumentsOf({ properties: { file: schema } });
      const isList = type === 'list of files';

      expect(file).toMatchObject([{ kind: 'file', type }]);
      const typed = JSON.stringify(isList ? [chosen] : chosen);
      expect(readArguments(file, { file: typed }).values).toEqual({ file: sent });
      expect(readArguments(file, { file: 'aGVsbG8=' }).values).toEqual({ file: pasted });
      expect(readArguments(file, { file: '"aGVsbG8="' }).values).toEqual({ file: pasted });
    },
  );

  test('sends digits, and a list where there is none, as the text that they are', () => {
    const file = argumentsOf({
      properties: { file: textOrFileSchema({ type: 'string' }, 'a', 'b') },
    });

    expect(readArguments(file, { file: '12345678' }).values).toEqual({ file: '12345678' });
    expect(readArguments(file, { file: '["a"]' }).values).toEqual({ file: '["a"]' });
    expect(readArguments(file, { file: 'null' }).values).toEqual({ file: 'null' });
  });
});
