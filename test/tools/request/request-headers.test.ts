import { describe, expect, test } from '@jest/globals';
import { buildRequest } from '../../../layers/tools/request/build-request.ts';
import type { CarriedCredential, CarriedKey } from '../../../layers/target/rules/credential.ts';
import { aParameter, aTool, refusalOf } from '../../support/mcp/tools.ts';

const ORIGINS = ['https://api.example.com'];

const headersOf = (name: string, value: unknown, credential?: CarriedCredential) =>
  buildRequest(
    aTool({ parameters: [aParameter('header', name, { argument: 'h' })] }),
    { h: value },
    { credentials: credential ? [{ ...credential, origins: [] }] : [] },
  ).headers;

describe('the headers of a request', () => {
  test('are limited by what is sent: several lines have the name each', () => {
    const operation = {
      parameters: [aParameter('header', 'X-Part', { argument: 'h', isRepeated: true })],
    };
    const sent = (count: number) =>
      buildRequest(aTool(operation), { h: Array.from({ length: count }, () => '') });

    expect(sent(10_000).headerLines?.['x-part']).toHaveLength(10_000);
    expect(refusalOf(() => sent(11_000)).errors).toMatchObject([
      { message: expect.stringMatching(/^take more than 65536 bytes/) },
    ]);
  });

  test('name us, and of what the description promises JSON alone', () => {
    const accept = [
      'text/csv; charset=utf-8',
      'application/vnd.api+json',
      'application/JSON',
      '*/*',
    ];

    expect(buildRequest(aTool({ accept }), {}).headers).toEqual({
      'user-agent': 'hosted-mcp/0.1.0',
      accept: 'application/vnd.api+json, application/json, */*;q=0.1',
    });
  });

  test.each([
    [
      'parameters choose a version or a form',
      ['application/json; version=2', 'application/json;odata.metadata=full; charset=utf-8'],
      'application/json;version=2, application/json, application/json;odata.metadata=full, */*;q=0.1',
    ],
    [
      'a parameter is none',
      ['text/csv; header=a\r\nx: y', 'text/csv;q=0.5', 'text/csv; header'],
      'text/csv, */*;q=0.1',
    ],
    ['nothing is promised', [], 'application/json, */*;q=0.1'],
    ['a promise is no media type', ['json\r\nx: y', 'a'], 'application/json, */*;q=0.1'],
    ['a type is promised twice', ['image/*', 'image/*'], 'image/*, */*;q=0.1'],
    [
      'one vendor type is the version',
      ['application/vnd.a.v1.0+json'],
      'application/vnd.a.v1.0+json',
    ],
    [
      'a vendor type stands beside another one',
      ['application/vnd.a.v1+json', 'application/vnd.a.v2+json'],
      'application/vnd.a.v1+json, application/vnd.a.v2+json, */*;q=0.1',
    ],
    ['a vendor type is no JSON', ['text/vnd.a'], 'text/vnd.a, */*;q=0.1'],
    [
      'there is no JSON',
      ['text/csv', 'application/x-yaml'],
      'text/csv, application/x-yaml, */*;q=0.1',
    ],
  ])('ask for what is there when %s', (_, accept, header) => {
    expect(buildRequest(aTool({ accept }), {}).headers['accept']).toBe(header);
  });

  test.each(['__proto__', 'constructor', 'toString'])('may be called %s', (name) => {
    expect(Object.entries(headersOf(name, 'a'))).toContainEqual([name.toLowerCase(), 'a']);
  });

  test('may hold a user agent that the description asks for', () => {
    expect(headersOf('User-Agent', 'mine')).toMatchObject({ 'user-agent': 'mine' });
  });

  test.each([
    'Authorization',
    'Cookie',
    'Host',
    'Connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
    'Content-Length',
    'Content-Type',
    'Accept',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'Forwarded',
    'X-Real-Ip',
    'Via',
    'X-HTTP-Method-Override',
    'X_HTTP_Method_Override',
    'X-Amz-Date',
    'X-Amz-Content-SHA256',
    'x-amz-security-token',
    'X-Amz-SignedHeaders',
    'x-amzn-trace-id',
    'Sec-Fetch-Site',
    'sec',
    'Proxy-Connection',
    'bad name',
    'bad\r\nname',
    '',
  ])('are never set by an argument: %j', (name) => {
    expect(refusalOf(() => headersOf(name, 'x'))).toMatchObject({
      code: 'invalid_params',
      errors: [{ path: '/h', message: 'names a header that callers may not set' }],
    });
  });

  test.each([
    'Secret-Name',
    'X-Amount',
    'Upgrade-Insecure-Requests',
    'Host-Id',
    'X-Forward',
    'X-Amz-Copy-Source',
    'x-amz-target',
    'x-amz-date-of-birth',
  ])('are set by an argument where only the name is alike: %s', (name) => {
    expect(headersOf(name, 'x')).toMatchObject({ [name.toLowerCase()]: 'x' });
  });

  test.each(['a\r\nx-evil: 1', 'a\nb', 'a\rb', 'a\u0000', 'a\u007f', '€', '😀'])(
    'hold no value that would break them: %j',
    (value) => {
      expect(refusalOf(() => headersOf('X-A', value))).toMatchObject({
        errors: [
          {
            path: '/h',
            message:
              'has characters that no header can hold: control characters, or any beyond Latin-1',
          },
        ],
      });
      expect(refusalOf(() => headersOf('X-A', [value])).code).toBe('invalid_params');
      expect(refusalOf(() => headersOf('X-A', { [value]: 1 })).code).toBe('invalid_params');
    },
  );
});

describe('the credential of a deployment', () => {
  const aKey = (
    place: CarriedKey['in'],
    name: string,
    secret: string,
    prefix = '',
  ): CarriedKey => ({ type: 'api_key', in: place, name, prefix, secret });
  const sent = (credential: CarriedCredential) =>
    buildRequest(
      aTool({ parameters: [aParameter('cookie', 'a')] }),
      { a: 1 },
      { credentials: [{ ...credential, origins: ORIGINS }] },
    );

  test.each([
    ['bearer', { type: 'bearer', token: 'tok' }, 'Bearer tok'],
    ['basic', { type: 'basic', username: 'jürgen', password: 'a:b' }, 'Basic asO8cmdlbjphOmI='],
    ['api_key', aKey('header', 'Authorization', '1', 'Key '), 'Key 1'],
  ] as const)('goes into the Authorization header: %s', (_, credential, header) => {
    expect(sent(credential).headers['authorization']).toBe(header);
  });

  test('goes into a header of its own', () => {
    const { headers } = sent(aKey('header', 'X-Api-Key', 'k/1'));

    expect(headers).toMatchObject({ 'x-api-key': 'k/1' });
  });

  test('goes into the query', () => {
    const { url } = sent(aKey('query', 'api key', 'a&b=c'));

    expect(url).toBe('https://api.example.com/v1/things?api%20key=a%26b%3Dc');
  });

  test.each([
    ['the query', aKey('query', 'key', 'secret', 'k-'), /\?key=k-secret$/],
    ['a cookie', aKey('cookie', 'sid', 'secret', 'v1-'), /sid=v1-secret$/],
    ['a header', aKey('header', 'X-Session', 'secret', 'Splunk '), /^Splunk secret$/],
  ])('is written behind its prefix in %s', (_, key, expected) => {
    const { url, headers } = sent(key);
    const places = { query: url, cookie: headers['cookie'], header: headers['x-session'] };

    expect(places[key.in]).toMatch(expected);
  });

  test.each([
    ['as it is', 'abc/+=', 'a=1; sid=abc/+='],
    ['encoded where a cookie cannot hold it', 'a;b c', 'a=1; sid=a%3Bb%20c'],
  ])('goes behind the other cookies, %s', (_, value, cookie) => {
    const { headers } = sent(aKey('cookie', 'sid', value));

    expect(headers['cookie']).toBe(cookie);
  });

  test.each([
    ['header', 'x-api-key', aParameter('header', 'X-API-KEY', { argument: 'x' }), 'v'],
    ['query', 'key', aParameter('query', 'key', { argument: 'x' }), 'v'],
    ['query', 'key', aParameter('query', 'filter', { argument: 'x' }), { key: 'v' }],
    [
      'query',
      'f[key]',
      aParameter('query', 'f', { argument: 'x', style: 'deepObject' }),
      { key: 'v' },
    ],
    ['cookie', 'sid', aParameter('cookie', 'sid', { argument: 'x' }), 'v'],
    ['cookie', 'sid', aParameter('cookie', 'other', { argument: 'x' }), { sid: 'v' }],
  ] as const)('keeps its name in the %s: %s', (place, name, parameter, value) => {
    const tool = aTool({ parameters: [parameter] });
    const credential = { ...aKey(place, name, 'secret'), origins: ORIGINS };

    expect(
      refusalOf(() => buildRequest(tool, { x: value }, { credentials: [credential] })).code,
    ).toBe('invalid_params');
    expect(() => buildRequest(tool, { x: value })).not.toThrow();
  });

  test.each<CarriedCredential>([
    { type: 'bearer', token: 'a\r\nb' },
    aKey('header', 'x-key', '€'),
    aKey('header', 'x key', 'a'),
  ])('is not sent where no header can hold it', (credential) => {
    expect(refusalOf(() => sent(credential))).toMatchObject({
      code: 'server_error',
      description: 'The credential of this server cannot be sent.',
    });
  });

  test.each(['a b', 'a;b', 'a=b'])('no cookie of an argument has the name %j', (name) => {
    const tool = aTool({ parameters: [aParameter('cookie', 'a')] });

    expect(refusalOf(() => buildRequest(tool, { a: { [name]: 1 } })).code).toBe('invalid_params');
  });
});
