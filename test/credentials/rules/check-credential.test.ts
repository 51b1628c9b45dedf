import { describe, expect, test } from '@jest/globals';
import {
  checkCredential,
  withOrigins,
} from '../../../layers/credentials/rules/check-credential.ts';
import { ApiRefusal } from '../../../layers/platform/rules/refusal/api-refusal.ts';
import type { Credential } from '../../../layers/target/rules/credential.ts';

const ORIGINS = ['https://api.example.com'];

const bearer = (token: string): Credential => ({ type: 'bearer', token });
const basic = (username: string, password: string): Credential => ({
  type: 'basic',
  username,
  password,
});
const key = (
  name: string,
  place: 'header' | 'query' | 'cookie',
  value = 'CANARY-secret',
): Credential => ({ type: 'api_key', name, in: place, value });

const refusalOf = (credential: Credential): ApiRefusal => {
  try {
    withOrigins(credential, ORIGINS);
  } catch (error) {
    if (error instanceof ApiRefusal) return error;
  }
  throw new Error('it was accepted');
};

describe('storing a valid credential for the target API', () => {
  test.each([
    ['a token', bearer('sk-live_1234.abcd~+/==')],
    ['a token with the characters that some services use', bearer('1|abc:def@ghi')],
    ['a token of 8,192 bytes', bearer('x'.repeat(8192))],
    ['a user and a password', basic('user', 'pass word: with colon')],
    ['a password alone', basic('', 'password')],
    ['a user name alone', basic('key', '')],
    ['names beyond ASCII', basic('Jürgen', 'пароль')],
    ['a header', key('X-Api-Key', 'header')],
    ['the Authorization header', key('Authorization', 'header', 'Token abc')],
    ['a query parameter', key('api key[1]', 'query')],
    ['a query parameter with a value of any script', key('key', 'query', 'ключ 鍵')],
    ['a cookie', key('session', 'cookie', 'a b;c')],
  ])('accepts %s', (_, credential) => {
    expect(() => checkCredential(credential, ORIGINS)).not.toThrow();
  });
});

describe('storing an invalid credential for the target API', () => {
  test.each([
    ['an empty token', bearer(''), '/token', 'empty'],
    ['a token of 8,193 bytes', bearer('x'.repeat(8193)), '/token', 'too long'],
    ['a token with its scheme', bearer('Bearer abc'), '/token', 'cannot be sent'],
    ['a token with a line break at its end', bearer('abc\n'), '/token', 'cannot be sent'],
    ['a token that begins another header', bearer('a\r\nX-Evil: 1'), '/token', 'cannot be sent'],
    ['a token beyond ASCII', bearer('schlüssel'), '/token', 'cannot be sent'],
    ['neither user nor password', basic('', ''), '/password', 'empty'],
    ['a user name with a colon', basic('a:b', 'c'), '/username', 'colon'],
    ['a user name with a control character', basic('a\u0000', 'c'), '/username', 'cannot be sent'],
    ['a password with a line break', basic('a', 'b\r\n'), '/password', 'cannot be sent'],
    ['a password with half a character', basic('a', '\ud800'), '/password', 'cannot be sent'],
    ['a password that is too long', basic('a', 'é'.repeat(4097)), '/password', 'too long'],
    ['an API key without a name', key('', 'header'), '/name', 'empty'],
    ['an API key with a name that is too long', key('x'.repeat(257), 'query'), '/name', 'too long'],
    ['a header name with a space', key('X Key', 'header'), '/name', 'not the name of a header'],
    ['a header name with a colon', key('X:', 'header'), '/name', 'not the name of a header'],
    ['a header name with a line break', key('X\r\nY', 'header'), '/name', 'not the name'],
    ['a cookie name with a semicolon', key('a;b', 'cookie'), '/name', 'not the name of a cookie'],
    ['a query name with a control character', key('a\u0007', 'query'), '/name', 'cannot be sent'],
    ['an empty key', key('X-Key', 'header', ''), '/value', 'empty'],
    ['a key with a line break', key('X-Key', 'header', 'a\nb'), '/value', 'cannot be sent'],
    ['a key with a tab', key('X-Key', 'header', 'a\tb'), '/value', 'cannot be sent'],
    ['a key with spaces around it', key('X-Key', 'header', ' a '), '/value', 'cannot be sent'],
    ['a header beyond ASCII', key('X-Key', 'header', 'Schlüssel'), '/value', 'cannot be sent'],
    ['a key that no header can hold', key('X-Key', 'header', '鍵'), '/value', 'cannot be sent'],
    ['a key with a line separator', key('key', 'query', 'a\u2028b'), '/value', 'cannot be'],
    ['a cookie with a NUL', key('key', 'cookie', 'a\u0000'), '/value', 'cannot be sent'],
    ['a key that is too long', key('key', 'query', 'x'.repeat(8193)), '/value', 'too long'],
  ])('refuses %s', (_, credential, where, what) => {
    const { code, findings } = refusalOf(credential);

    expect(code).toBe('invalid_request');
    expect(findings).toEqual([
      { where, what: expect.stringContaining(what), hint: expect.any(String) },
    ]);
  });

  test.each([
    'Host',
    'content-length',
    'Content-Type',
    'transfer-encoding',
    'Connection',
    'keep-alive',
    'TE',
    'trailer',
    'upgrade',
    'expect',
    'Cookie',
    'accept',
    'Proxy-Authorization',
    'Sec-Fetch-Site',
    'X-Forwarded-For',
    'X-Forwarded',
    'Forwarded',
    'Via',
    'x-real-ip',
  ])('refuses an API key in the header %s', (name) => {
    expect(refusalOf(key(name, 'header')).findings).toMatchObject([
      { where: '/name', what: 'a header that credentials may not set' },
    ]);
  });

  test('refuses an API key in the Cookie header, and says how to send a cookie', () => {
    expect(refusalOf(key('Cookie', 'header')).findings).toMatchObject([
      { hint: 'Send it as a cookie: `in` is `cookie`, and `name` the name of the cookie.' },
    ]);
  });

  test('refuses a credential without repeating what it holds', () => {
    const secrets: readonly Credential[] = [
      bearer('CANARY secret'),
      basic('CANARY:user', 'CANARY\n'),
      key('CANARY name', 'header', 'CANARY\n'),
    ];
    for (const credential of secrets) {
      const refusal = refusalOf(credential);
      expect(JSON.stringify([refusal, refusal.message, refusal.why])).not.toContain('CANARY');
    }
  });
});
