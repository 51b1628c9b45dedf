import { describe, expect, test } from '@jest/globals';
import {
  optionalParameter,
  requiredParameter,
} from '../../../layers/core/domain/oauth/parameters.ts';

const sent = new Map<string, readonly unknown[]>([
  ['code', ['mcp_code_1']],
  ['twice', ['a', 'a']],
  ['empty', ['']],
  ['null', [null]],
  ['list', [['a']]],
  ['number', [1]],
  ['object', [{ toString: 'a' }]],
]);

describe('a parameter', () => {
  test('is the one text that was sent', () => {
    expect(optionalParameter(sent, 'code')).toBe('mcp_code_1');
  });

  test.each(['missing', 'empty', 'null', '__proto__'])('was not sent: %s (D35)', (name) => {
    expect(optionalParameter(sent, name)).toBeUndefined();
    expect(() => requiredParameter(sent, name)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        description: `The parameter ${name} is missing.`,
      }),
    );
  });

  test('is refused if it was sent twice', () => {
    expect(() => optionalParameter(sent, 'twice')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        description: 'The parameter twice was sent more than once.',
      }),
    );
  });

  test.each(['list', 'number', 'object'])('is refused if it is no text: %s', (name) => {
    expect(() => optionalParameter(sent, name)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        description: `The parameter ${name} must be a string.`,
      }),
    );
  });
});
