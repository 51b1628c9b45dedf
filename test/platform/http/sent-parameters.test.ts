import { describe, expect, test } from '@jest/globals';
import {
  optionalParameter,
  requiredParameter,
} from '../../../layers/platform/rules/sent-parameters.ts';

const sent = new Map<string, readonly unknown[]>([
  ['code', ['mcp_code_1']],
  ['twice', ['a', 'a']],
  ['empty', ['']],
  ['null', [null]],
  ['list', [['a']]],
  ['number', [1]],
  ['object', [{ toString: 'a' }]],
]);

describe('a parameter of an OAuth request', () => {
  test('is read where it was sent once as a string', () => {
    expect(optionalParameter(sent, 'code')).toBe('mcp_code_1');
  });

  test.each(['missing', 'empty', 'null', '__proto__'])('counts as unsent if it is %s', (name) => {
    expect(optionalParameter(sent, name)).toBeUndefined();
    expect(() => requiredParameter(sent, name)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        description: `The parameter ${name} is missing.`,
      }),
    );
  });

  test('is refused where it was sent twice', () => {
    expect(() => optionalParameter(sent, 'twice')).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        description: 'The parameter twice was sent more than once.',
      }),
    );
  });

  test.each(['list', 'number', 'object'])('is refused where its value is a %s', (name) => {
    expect(() => optionalParameter(sent, name)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        description: `The parameter ${name} must be a string.`,
      }),
    );
  });
});
