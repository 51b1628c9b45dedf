import { describe, expect, test } from '@jest/globals';
import { methodNamed, scopesNeeded } from '../../../layers/mcp/rules/methods.ts';

const needed = (...names: readonly string[]) =>
  scopesNeeded(names.flatMap((name) => methodNamed(name) ?? []));

describe('the scope that an MCP method needs', () => {
  test.each([
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
    'prompts/get',
  ])('is mcp.tools.read for %s', (method) => {
    expect(needed(method)).toEqual(['mcp.tools.read']);
  });

  test('is mcp.tools.execute for tools/call', () => {
    expect(needed('tools/call')).toEqual(['mcp.tools.execute']);
  });

  test.each(['initialize', 'ping', 'logging/setLevel', 'no/such', '__proto__', 'constructor', ''])(
    'is none for %p',
    (method) => {
      expect(needed(method)).toEqual([]);
    },
  );

  test('of several methods is each needed scope once', () => {
    expect(needed('tools/call', 'ping', 'tools/list', 'prompts/get', 'tools/call')).toEqual([
      'mcp.tools.read',
      'mcp.tools.execute',
    ]);
    expect(needed()).toEqual([]);
  });
});
