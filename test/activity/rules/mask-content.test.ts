import { describe, expect, test } from '@jest/globals';
import {
  isSecretName,
  maskedArguments,
  maskedText,
} from '../../../layers/activity/rules/mask-content.ts';

const KEY = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----';

describe('a name', () => {
  test.each([
    'password',
    'newPassword',
    'user_password',
    'client-secret',
    'X-Api-Key',
    'accessToken',
    'refresh_token',
    'Authorization',
    'set-cookie',
    'sessionId',
    'PIN',
    'cvv',
    'private_key',
    'auth',
  ])('%s is that of a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each([
    'nextPageToken',
    'page_token',
    'continuation-token',
    'tokens',
    'max_tokens',
    'author',
    'pinned',
    'key',
    'shipping',
    'title',
  ])('%s is not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('arguments', () => {
  test('are copied without what stands under the name of a secret, however deep', () => {
    const sent = {
      title: 'Dune',
      login: { user: 'ada', password: 'p1' },
      secrets: [{ name: 'x', value: 'p2' }],
      list: [{ apiKey: 12_345 }],
      token: { value: 'p3' },
    };
    expect(maskedArguments(sent)).toEqual({
      title: 'Dune',
      login: { user: 'ada', password: '[masked]' },
      secrets: '[masked]',
      list: [{ apiKey: '[masked]' }],
      token: '[masked]',
    });
  });

  test('are masked in texts that are JSON again, and stay what they were elsewhere', () => {
    const inner = JSON.stringify({ note: 'a', password: 'p1' });
    expect(maskedArguments({ body: inner, big: 1 })).toEqual({
      body: '{"note":"a","password":"[masked]"}',
      big: 1,
    });
    const plain = { text: 'the token of a', list: [1, null] };
    expect(maskedArguments(plain)).toBe(plain);
    expect(maskedArguments(undefined)).toBeUndefined();
  });

  test('show that a secret is absent, empty, or a switch', () => {
    const sent = { password: null, secret: '', token: false };
    expect(maskedArguments(sent)).toEqual(sent);
  });
});

describe('a text', () => {
  test.each([
    ['a bearer token', 'send Bearer abcdefgh12345678 now', 'send [masked] now'],
    ['a JWT', 'x eyJhbGciOiJIUzI1NiJ9.e30.abc y', 'x [masked] y'],
    ['a key of AWS', 'AKIAIOSFODNN7EXAMPLE', '[masked]'],
    ['a token of GitHub', 'ghp_0123456789abcdefghij01', '[masked]'],
    ['a key of a vendor', 'sk-ant-0123456789abcdef', '[masked]'],
    ['a token of this service', `hmt_${'a'.repeat(51)}`, '[masked]'],
    ['a private key', `a ${KEY} b`, 'a [masked]-----END RSA PRIVATE KEY----- b'],
    [
      'a private key within JSON',
      JSON.stringify({ a: KEY, b: 1 }),
      '{"a":"[masked]-----END RSA PRIVATE KEY-----","b":1}',
    ],
    ['JSON with a short name', '{"pwd":"x"}', '{"pwd":"[masked]"}'],
    ['a form whose name has the value in it', 'password=word&a=b', 'password=[masked]&a=b'],
    ['JSON that is cut, of such a name', '[{"pin":"pin","a', '[{"pin":"[masked]","a'],
    ['XML of such a name', '<pin>pin</pin>', '<pin>[masked]</pin>'],
    ['a form with a short name', 'pin=1234&a=b', 'pin=[masked]&a=b'],
    ['JSON', '{"a":1,"password":"x"}', '{"a":1,"password":"[masked]"}'],
    [
      'JSON that is cut',
      '[{"password":"x","b":[{"token":"y',
      '[{"password":"[masked]","b":[{"token":"[masked]"',
    ],
    ['JSON with a number', '[{"pin": 1234, "a":', '[{"pin": [masked], "a":'],
    ['a form', 'a=1&password=x%20y&b=2', 'a=1&password=[masked]&b=2'],
    [
      'XML',
      '<user><password>x</password><a>b</a></user>',
      '<user><password>[masked]</password><a>b</a></user>',
    ],
  ])('loses %s', (_, text, expected) => {
    expect(maskedText(text)).toBe(expected);
  });

  test.each([
    'Nothing secret here.',
    '{ "id": 12345678901234567890, "name": "Ada" }',
    '{"nextPageToken":"abc"}',
    'a=1&b=2',
  ])('without a secret stays as it is: %s', (text) => {
    expect(maskedText(text)).toBe(text);
  });
});

describe('a text of parts of names', () => {
  const costOf = (text: string): number => {
    const took = [1, 2, 3].map(() => {
      const before = process.cpuUsage();
      maskedText(text);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    });
    return Math.min(...took);
  };

  test('takes about as long as any other of its length', () => {
    const [parts, ordinary] = ['auth', 'abcd'].map((word) => costOf(word.repeat(500_000)));

    expect((parts ?? 0) / (ordinary ?? 1)).toBeLessThan(8);
  });
});
