import { describe, expect, test } from '@jest/globals';
import { scopesNeeded } from '../../../layers/core/domain/access/scopes.ts';

describe('D11 the scope that a method needs', () => {
  test.each([
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
    'prompts/get',
  ])('%s: read', (method) => {
    expect(scopesNeeded([method])).toEqual(['mcp.tools.read']);
  });

  test('tools/call: execute', () => {
    expect(scopesNeeded(['tools/call'])).toEqual(['mcp.tools.execute']);
  });

  test.each(['initialize', 'ping', 'logging/setLevel', 'no/such', '__proto__', 'constructor', ''])(
    '%p: none',
    (method) => {
      expect(scopesNeeded([method])).toEqual([]);
    },
  );

  test('of several is all that they need, each once', () => {
    expect(scopesNeeded(['tools/call', 'ping', 'tools/list', 'prompts/get', 'tools/call'])).toEqual(
      ['mcp.tools.read', 'mcp.tools.execute'],
    );
    expect(scopesNeeded([])).toEqual([]);
  });
});
