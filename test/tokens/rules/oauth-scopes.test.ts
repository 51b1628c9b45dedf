import { describe, expect, test } from '@jest/globals';
import {
  knownScopes,
  narrowScopes,
  readScopes,
  splitScopes,
} from '../../../layers/tokens/rules/oauth-scopes.ts';

describe('a scope parameter', () => {
  test.each([
    ['spaces', 'openid email'],
    ['pluses', 'openid+email'],
    ['any number of both', '  openid + email '],
  ])('lists names separated by %s', (_, text) => {
    expect(splitScopes(text)).toEqual(['openid', 'email']);
  });

  test('yields every known scope once and ignores unknown names', () => {
    expect(knownScopes('mcp.tools.execute openid repo openid OPENID')).toEqual([
      'openid',
      'mcp.tools.execute',
    ]);
  });
});

describe('the scope of a request', () => {
  test.each(['offline_access', 'address', 'phone', 'claudeai'])(
    'loses %s, which clients ask of any server',
    (name) => {
      expect(readScopes(`email ${name}`)).toEqual(['email']);
    },
  );

  test.each(['mcp.tools.write', 'MCP.tools.read', 'repo', 'openid,email', 'offline_access,email'])(
    'is refused with %s in it, and the answer lists the scopes that there are',
    (name) => {
      expect(() => readScopes(`email ${name}`)).toThrow(
        expect.objectContaining({
          code: 'invalid_scope',
          description: expect.stringContaining('mcp.tools.read mcp.tools.execute'),
        }),
      );
    },
  );
});

describe('the scope of a refresh request', () => {
  const granted = ['openid', 'mcp.tools.read', 'mcp.tools.execute'] as const;

  test('defaults to all granted scopes', () => {
    expect(narrowScopes(granted, undefined)).toEqual(granted);
  });

  test('may be a part of the granted scopes', () => {
    expect(narrowScopes(granted, 'mcp.tools.read')).toEqual(['mcp.tools.read']);
  });

  test('may be all granted scopes in any order', () => {
    expect(narrowScopes(granted, 'mcp.tools.execute mcp.tools.read openid')).toEqual(granted);
  });

  test.each([
    ['names only offline_access', 'offline_access', granted],
    ['is empty', '  ', granted],
    ['names it beside a granted scope', 'mcp.tools.read offline_access', ['mcp.tools.read']],
    ['names no scope of tools', 'openid', granted],
  ])('is what was asked for at first, where it %s', (_, asked, scopes) => {
    expect(narrowScopes(granted, asked)).toEqual(scopes);
  });

  test('keeps only those scopes of tools that were granted', () => {
    expect(narrowScopes(['openid', 'email', 'mcp.tools.read'], 'email')).toEqual([
      'email',
      'mcp.tools.read',
    ]);
  });

  test.each([
    ['wider than what was granted', 'openid email'],
    ['another scope than granted', 'email'],
    ['a misspelt scope of this service', 'openid mcp.tools.reed'],
    ['an unknown scope beside a granted one', 'openid repo'],
    ['a granted scope in another case', 'OpenID'],
    ['a list separated by tabs', 'openid\tmcp.tools.read'],
  ])('cannot be %s', (_, asked) => {
    expect(() => narrowScopes(granted, asked)).toThrow(
      expect.objectContaining({ code: 'invalid_scope' }),
    );
  });
});
