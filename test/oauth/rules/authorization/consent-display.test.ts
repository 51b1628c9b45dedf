import { describe, expect, test } from '@jest/globals';
import {
  redirectTarget,
  SCOPE_WORDS,
  shownName,
} from '../../../../layers/oauth/rules/authorization/consent-display.ts';
import { SCOPES } from '../../../../layers/tokens/rules/oauth-records.ts';

describe('the client name that the consent page shows', () => {
  test.each([
    ['without special characters', 'Claude Desktop', 'Claude Desktop'],
    ['in other scripts', 'Помощник 助手 مساعد', 'Помощник 助手 مساعد'],
    ['with combining marks', 'Zoe\u0308', 'Zoe\u0308'],
    ['with a right-to-left override', 'moc.live\u202Eevil.com', 'moc.liveevil.com'],
    ['with bidirectional isolates', '\u2066a\u2069\u200F\u061C', 'a'],
    ['with invisible characters', 'Cla\u200Bude\u200D\u00AD\u3164\u2800', 'Claude'],
    ['with Unicode tag characters', `a\u{E0041}\u{E007F}b`, 'ab'],
    ['with control characters', 'a\u0000b\u001b[31m', 'ab[31m'],
    ['in several lines', ' a\r\nb\u2028c\u00a0\t d ', 'a b c d'],
    ['with forty combining marks on a letter', `a${'\u0300'.repeat(40)}b`, 'a\u0300\u0300b'],
    ['with half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
    ['that is empty', '', 'An application without a name'],
    ['of invisible characters only', '\u200B \u3164\u2800', 'An application without a name'],
  ])('makes a name %s safe to show', (_, name, shown) => {
    expect(shownName(name)).toBe(shown);
  });

  test('cuts a name of more than 80 characters', () => {
    expect(shownName('x'.repeat(80))).toBe('x'.repeat(80));
    expect(shownName('🦊'.repeat(81))).toBe(`${'🦊'.repeat(79)}…`);
  });
});

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
