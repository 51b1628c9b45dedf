import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { maskedArguments, maskedText } from '../../../layers/activity/rules/mask-content.ts';
import { isSecretName } from '../../../layers/activity/rules/secret-names.ts';

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
    ['JSON with a number', '[{"pin": 1234, "a":', '[{"pin": "[masked]", "a":'],
    [
      'an error behind its heading',
      'HTTP 404 Not "Found\n\n{"error":{"secret":{"value":"s3cr3t"},"a":1}}',
      'HTTP 404 Not "Found\n\n{"error":{"secret":"[masked]","a":1}}',
    ],
    [
      'a line of a stream',
      'event: a\ndata: {"password":["x","y]"],"a":1}\n\ndata: {"b":2}',
      'event: a\ndata: {"password":"[masked]","a":1}\n\ndata: {"b":2}',
    ],
    [
      'lines of JSON',
      '{"a":1}\n{"password":{"b":["x"]}}\n{"pin":"","c":null}',
      '{"a":1}\n{"password":"[masked]"}\n{"pin":"","c":null}',
    ],
    [
      'JSON before a note',
      '{"a":{"secret":["x",{"b":"}"}]}}\n\n[cut here]',
      '{"a":{"secret":"[masked]"}}\n\n[cut here]',
    ],
    [
      'JSON that is cut, within a secret',
      '{"a":1,"secret":{"b":"x","c":["y',
      '{"a":1,"secret":"[masked]"',
    ],
    [
      'JSON within a text of JSON',
      'HTTP 400\n\n{"payload":"{\\"password\\":\\"a\\\\\\"b\\",\\"c\\":1}"}',
      'HTTP 400\n\n{"payload":"{\\"password\\":\\"[masked]\\",\\"c\\":1}"}',
    ],
    [
      'the same that is cut',
      '{"payload":"{\\"secret\\":\\n {\\"a\\":[\\"x',
      '{"payload":"{\\"secret\\":\\n \\"[masked]\\"',
    ],
    [
      'JSON within a text that ends before its bracket does',
      'a {"payload":"{\\"secret\\":[\\"x","b":"y"}',
      'a {"payload":"{\\"secret\\":\\"[masked]\\"","b":"y"}',
    ],
    [
      'a name of several words',
      'a {"my pin code password hint": "x"}',
      'a {"my pin code password hint": "[masked]"}',
    ],
    [
      'names in brackets',
      'user[password]=x&user%5Btoken%5D=y',
      'user[password]=[masked]&user%5Btoken%5D=[masked]',
    ],
    ['an attribute', '<a password="x y" b="c"/>', '<a password="[masked]" b="c"/>'],
    [
      'an element with others in it',
      '<u><ns:secret pin="1" a="b"><v>x</v>y<w/></ns:secret><c>d</c></u>',
      '<u><ns:secret pin="[masked]" a="b">[masked]</ns:secret><c>d</c></u>',
    ],
    ['an element that is cut', '<u><password><v>x</v>y', '<u><password>[masked]'],
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
    'a {"password":null,"token":"","secret":true,"next page token":"b"}',
    'the token of "a": the password is <b>wrong</b>',
    '<password/><pin> </pin><author>a</author>',
    'data: {"page":"a","title":"the password: b"}',
  ])('without a secret stays as it is: %s', (text) => {
    expect(maskedText(text)).toBe(text);
  });
});

describe('JSON of any form', () => {
  const name = fc.constantFrom('a', 'password', 'user token', 'nextPageToken', 'X-Api-Key', 'pin');
  const leaf = fc.oneof(
    fc.string({ unit: fc.constantFrom('x', '"', '\\', '{', ']', ':', ' ', "'", '\n', '<') }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(name, tie('json'), { maxKeys: 3 }),
      fc.dictionary(name, tie('json'), { maxKeys: 3 }).map((value) => JSON.stringify(value)),
    ),
  }));

  test('behind a heading is masked as it is alone', () => {
    fc.assert(
      fc.property(fc.dictionary(name, json), (value) => {
        const text = JSON.stringify(value);
        const heading = 'HTTP 400 "Bad\n\n';
        const masked = maskedText(`${heading}${text}`);

        expect(masked.startsWith(heading)).toBe(true);
        expect(JSON.parse(masked.slice(heading.length))).toEqual(JSON.parse(maskedText(text)));
      }),
    );
  });

  test('has nothing of a secret wherever it is cut', () => {
    fc.assert(
      fc.property(fc.dictionary(name, json), fc.integer({ min: 0, max: 200 }), (value, cut) => {
        const text = JSON.stringify({ a: value, secret: { b: ['CANARY', value, 'CANARY'] } });
        const inner = JSON.stringify({ c: text, d: 'seen' });
        for (const one of [text, inner, JSON.stringify({ e: inner })]) {
          expect(maskedText(`a ${one.slice(0, -cut)}`)).not.toContain('CANARY');
        }
      }),
    );
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

  test.each([
    'pin ',
    'pin" ',
    '"pin":"" ',
    '"pin":\\',
    '"pin":[',
    '"pin":{} ',
    'pin=',
    'pin="" ',
    '<pin>',
    '<pin ',
    '<pin> </pin>',
    '<pin/>',
    '<pin pin="',
    'pin\\',
    'pin"\\n',
    `"pin":'\\"`,
  ])('takes as long for each part of it: %j', (part) => {
    const [short, long] = [40_000, 320_000].map((length) =>
      costOf(`a ${part.repeat(length / part.length)}`),
    );

    // Eight times as much, where quadratic time is 64 times as much.
    expect((long ?? 0) / (short ?? 1)).toBeLessThan(30);
  });
});
