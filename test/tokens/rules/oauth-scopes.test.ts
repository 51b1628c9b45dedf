import { describe, expect, test } from '@jest/globals';
import {
  asksOfflineAccess,
  knownScopes,
  narrowScopes,
  scopeText,
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

describe('offline_access', () => {
  test('is asked for by its name alone', () => {
    expect(asksOfflineAccess('openid+offline_access')).toBe(true);
    expect(asksOfflineAccess('openid offline')).toBe(false);
    expect(asksOfflineAccess(undefined)).toBe(false);
  });

  test('is answered behind the scopes', () => {
    expect(scopeText(['openid', 'email'], true)).toBe('openid email offline_access');
    expect(scopeText(['openid', 'email'], false)).toBe('openid email');
  });
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
    ['names what the service does not know, which was left out then', 'repo', granted],
    ['names it beside a granted scope, ', 'mcp.tools.read repo', ['mcp.tools.read']],
    ['names a granted scope in another case', 'OpenID', granted],
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
    ['another scope than granted beside an unknown one', 'repo profile'],
  ])('cannot be %s', (_, asked) => {
    expect(() => narrowScopes(granted, asked)).toThrow(
      expect.objectContaining({ code: 'invalid_scope' }),
    );
  });
});
