import { describe, expect, test } from '@jest/globals';
import {
  knownScopes,
  narrowScopes,
  splitScopes,
} from '../../../layers/core/domain/oauth/scopes.ts';

describe('a scope', () => {
  test.each([
    ['spaces', 'openid email'],
    ['pluses', 'openid+email'],
    ['many of both', '  openid + email '],
  ])('is names between %s', (_, text) => {
    expect(splitScopes(text)).toEqual(['openid', 'email']);
  });

  test('is known name by name, each once', () => {
    expect(knownScopes('mcp.tools.execute openid repo openid OPENID')).toEqual([
      'openid',
      'mcp.tools.execute',
    ]);
  });
});

describe('the scope of a refresh (K5)', () => {
  const granted = ['openid', 'mcp.tools.read', 'mcp.tools.execute'] as const;

  test('is what was granted, if it asks for nothing', () => {
    expect(narrowScopes(granted, undefined)).toEqual(granted);
  });

  test('may be less', () => {
    expect(narrowScopes(granted, 'mcp.tools.read')).toEqual(['mcp.tools.read']);
  });

  test('may be all of it, in any order', () => {
    expect(narrowScopes(granted, 'mcp.tools.execute mcp.tools.read openid')).toEqual(granted);
  });

  test.each([
    ['more', 'openid email'],
    ['another', 'email'],
    ['an unknown one', 'openid repo'],
    ['nothing but spaces', '  '],
    ['other case', 'OpenID'],
    ['names between tabs', 'openid\tmcp.tools.read'],
  ])('is never %s', (_, asked) => {
    expect(() => narrowScopes(granted, asked)).toThrow(
      expect.objectContaining({ code: 'invalid_scope' }),
    );
  });
});
