import { describe, expect, test } from '@jest/globals';
import { passwordFault } from '../../../layers/accounts/rules/password-rules.ts';

const EMAIL = 'ada.lovelace@analytical.example';
const HOST = 'mcp.example.com:8443';
const fault = (password: string) => passwordFault(password, { email: EMAIL, host: HOST })?.what;

describe('the length of a password', () => {
  test.each([
    ['eleven characters', 'vT9#kLm2$xQ', 'too short'],
    ['twelve characters', 'vT9#kLm2$xQp', undefined],
    ['no characters', '', 'too short'],
    ['128 characters', 'vT9#kLm2'.repeat(15) + 'abcdefgZ', undefined],
    ['129 characters', 'vT9#kLm2'.repeat(15) + 'abcdefgZ!', 'too long'],
    ['eleven emoji', '🦀🐳🦊🐙🦉🐝🦋🐢🦎🐌🦔', 'too short'],
    ['twelve emoji', '🦀🐳🦊🐙🦉🐝🦋🐢🦎🐌🦔🐞', undefined],
  ])('is counted in characters and not in bytes: %s', (_, password, what) => {
    expect(fault(password)).toBe(what);
  });
});

describe('a password that everyone knows', () => {
  test.each([
    'ada.lovelace@analytical.example',
    'Ada.Lovelace@Analytical.Example',
    'ada.lovelace',
    'analytical.example',
    ' analytical.example',
    'mcp.example.com:8443',
  ])('%p is refused', (password) => {
    expect(fault(password)).toBe('too easy to guess');
  });

  test.each([
    'kestrel umbrella fog',
    'ada.lovelace!',
    'analytical.examples',
    'mcp.example.com:8444',
    'üñîçødé-pässwörd',
    'パスワードではない合言葉です',
  ])('%p is accepted', (password) => {
    expect(fault(password)).toBeUndefined();
  });
});
