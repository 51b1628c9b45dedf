import { describe, expect, test } from '@jest/globals';
import { scopesNeeded } from '../../../layers/tokens/rules/authorization.ts';

describe('the scope that an MCP method needs', () => {
  test.each([
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
    'prompts/get',
  ])('is mcp.tools.read for %s', (method) => {
    expect(scopesNeeded([method])).toEqual(['mcp.tools.read']);
  });

  test('is mcp.tools.execute for tools/call', () => {
    expect(scopesNeeded(['tools/call'])).toEqual(['mcp.tools.execute']);
  });

  test.each(['initialize', 'ping', 'logging/setLevel', 'no/such', '__proto__', 'constructor', ''])(
    'is none for %p',
    (method) => {
      expect(scopesNeeded([method])).toEqual([]);
    },
  );

  test('of several methods is each needed scope once', () => {
    expect(scopesNeeded(['tools/call', 'ping', 'tools/list', 'prompts/get', 'tools/call'])).toEqual(
      ['mcp.tools.read', 'mcp.tools.execute'],
    );
    expect(scopesNeeded([])).toEqual([]);
  });
});
