import { describe, expect, test } from '@jest/globals';
import { shownAnswer, shownRequest } from '../../../layers/tools/masking/shown.ts';

const SECRET = 'Ahng8ohphoo6Ee';
const answered = (headers: Readonly<Record<string, string>>) =>
  shownAnswer(
    { status: 201, headers, body: new Uint8Array() },
    [{ type: 'bearer', token: SECRET }],
    { q: 'mine' },
  );

describe('status and headers of an answer, for its owner', () => {
  test('are as they came where nothing is secret', () => {
    const headers = { 'content-type': 'application/json', etag: '"1"', 'x-ratelimit-left': '7' };

    expect(answered(headers)).toEqual({ status: 201, headers });
  });

  test.each([
    ['set-cookie', 'sid=1; Path=/'],
    ['x-auth-token', 'abc'],
    ['x-session-id', 'abc'],
    ['x-csrf-token', 'abc'],
    ['x-api-key', 'abc'],
    ['client-secret', 'abc'],
    ['authorization', 'Bearer abc'],
    ['authorization-info', 'abc'],
    ['x-forwarded-authorization', 'Bearer abc'],
    ['x-amzn-remapped-www-authenticate', 'Bearer realm="abc"'],
    ['x-amzn-remapped-set-cookie', 'sid=abc'],
    ['x-set-cookie2', 'sid=abc'],
    ['x-api_key', 'abc'],
    ['x-access-key', 'abc'],
    ['ocp-apim-subscription-key', 'abc'],
    ['x-session-next-token', 'abc'],
    ['x-csrf-page-token', 'abc'],
    ['x-token-counter', 'abc'],
  ])('are masked where %s is a secret by its name', (name, value) => {
    expect(answered({ [name]: value }).headers[name]).not.toContain(value);
  });

  test('are as they came where a name only sounds like one', () => {
    const headers = {
      'x-next-token': 'a',
      'x-next_token': 'b',
      'x-ms-continuationtoken': 'c',
      'x-ratelimit-remaining-tokens': '7',
      'x-token-count': '512',
      'x-goog-authenticated-user-email': 'd',
      'idempotency-key': 'e',
      'x-amz-server-side-encryption-aws-kms-key-id': 'f',
    };

    expect(answered(headers).headers).toEqual(headers);
  });

  test('never repeat the credential', () => {
    expect(JSON.stringify(answered({ 'x-echo': `you sent Bearer ${SECRET}` }))).not.toContain(
      SECRET,
    );
  });

  test('are cut where there are many, or they are long', () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [`x-${index}`, 'y'.repeat(5000)]),
    );
    const { headers } = answered(many);

    expect(Object.keys(headers)).toHaveLength(60);
    expect(headers['x-0']).toHaveLength(1000);
  });
});

describe('a request, for its owner', () => {
  test('has headers of several lines, without secrets', () => {
    const { headers } = shownRequest(
      {
        method: 'GET',
        url: 'https://api.example.com',
        headers: { authorization: `Bearer ${SECRET}` },
        headerLines: { 'x-part': ['a', `b${SECRET}`] },
      },
      [{ type: 'bearer', token: SECRET }],
      {},
    );

    expect(headers['x-part']).toMatch(/^a, b[^A]+$/);
    expect(JSON.stringify(headers)).not.toContain(SECRET);
  });
});
