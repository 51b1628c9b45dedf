import { describe, expect, test } from '@jest/globals';
import {
  knownScopes,
  narrowScopes,
  splitScopes,
} from '../../../layers/core/domain/oauth/scopes.ts';

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
    ['wider than what was granted', 'openid email'],
    ['another scope than granted', 'email'],
    ['an unknown scope beside a granted one', 'openid repo'],
    ['only spaces', '  '],
    ['a granted scope in another case', 'OpenID'],
    ['a list separated by tabs', 'openid\tmcp.tools.read'],
  ])('cannot be %s', (_, asked) => {
    expect(() => narrowScopes(granted, asked)).toThrow(
      expect.objectContaining({ code: 'invalid_scope' }),
    );
  });
});
