import { describe, expect, test } from '@jest/globals';
import {
  redirectTarget,
  SCOPE_WORDS,
} from '../../../../layers/oauth/rules/authorization/consent-display.ts';
import { SCOPES } from '../../../../layers/tokens/rules/oauth-records.ts';

describe('the destination of the answer that the consent page shows', () => {
  test.each([
    ['https://app.example.com/callback?x=1', 'website', 'app.example.com'],
    ['https://app.example.com:8443/callback', 'website', 'app.example.com:8443'],
    ['https://аpp.example.com/', 'website', 'xn--pp-6kc.example.com'],
    ['https://localhost.evil.example/', 'website', 'localhost.evil.example'],
    ['http://127.0.0.1:6277/callback', 'this_device', '127.0.0.1:6277'],
    ['http://localhost/callback', 'this_device', 'localhost'],
    ['http://[::1]:9/callback', 'this_device', '[::1]:9'],
    [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'this_device',
      'cursor://anysphere.cursor-mcp',
    ],
    ['com.example.app:/cb', 'this_device', 'com.example.app:'],
  ])('describes %s as a %s named %s', (redirectUri, kind, name) => {
    expect(redirectTarget(redirectUri)).toEqual({ kind, name });
  });
});

test('every scope has a description in words', () => {
  expect(Object.keys(SCOPE_WORDS).sort()).toEqual([...SCOPES].sort());
});
