import { afterAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { anOAuthService, REDIRECT_URI, VERIFIER } from '../../support/oauth/oauth.ts';
import { oauth } from '../../support/oauth/oauth-requests.ts';
import { anEvent } from '../../support/mcp/router-events.ts';
import { runs } from '../../support/generated/runs.ts';

/** The same cases in every run. */
const RUNS = { seed: 20_261_120, numRuns: runs(300) };
/** What RFC 6749 §5.2 lets a description consist of. */
const DESCRIPTION = /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/;

const service = await anOAuthService();
afterAll(() => service.stop());

const name = fc.oneof(
  fc.constantFrom(
    'grant_type',
    'code',
    'redirect_uri',
    'client_id',
    'client_secret',
    'code_verifier',
    'refresh_token',
    'scope',
    'resource',
    'token',
    'token_type_hint',
    'redirect_uris',
    'client_name',
    'token_endpoint_auth_method',
    'grant_types',
    'response_types',
    '__proto__',
    'constructor',
  ),
  fc.string(),
);

const value = fc.oneof(
  fc.constantFrom(
    'authorization_code',
    'refresh_token',
    'password',
    'mcp_code_x',
    'mcp_access_x',
    'mcp_refresh_x',
    'mcp_x',
    'https://app.example.com/client.json',
    REDIRECT_URI,
    VERIFIER,
    'openid',
    '',
  ),
  fc.string({ unit: 'binary' }),
);

const jsonValue = fc.oneof(value, fc.array(value), fc.jsonValue());
const json = fc.oneof(
  fc.array(fc.tuple(name, jsonValue)).map((pairs) => JSON.stringify(Object.fromEntries(pairs))),
  fc.json(),
  fc.string({ unit: 'binary' }),
);

const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
const pairs = fc.array(fc.tuple(name, value));
const form = fc.oneof(
  pairs.map((all) => all.map(([one, other]) => `${encoded(one)}=${encoded(other)}`).join('&')),
  pairs.map((all) => all.map((pair) => pair.join('=')).join('&')),
  fc.string({ unit: 'binary' }),
);

const body = fc.oneof(
  fc.record({ type: fc.constant('application/json'), text: json }),
  fc.record({ type: fc.constant('application/x-www-form-urlencoded'), text: form }),
  fc.record({ type: fc.string({ unit: 'binary' }), text: form }),
);

const authorization = fc.option(
  fc.oneof(
    fc.string({ unit: 'binary' }).map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('Basic', 'Bearer', 'Bearer x', 'Basic Og=='),
  ),
  { nil: undefined },
);

describe('any request body to the OAuth endpoints', () => {
  test.each([
    ['/register', [201, 400]],
    ['/token', [400, 401]],
    ['/revoke', [200, 400]],
    ['/userinfo', [400, 401]],
  ])('sent to %s is answered with one of %j in the format of the RFC', async (path, statuses) => {
    const property = fc.asyncProperty(
      body,
      authorization,
      fc.boolean(),
      async ({ type, text }, header, isBytes) => {
        const reply = await service.send(
          anEvent('POST', oauth(path), {
            headers: { 'content-type': type, authorization: header },
            body: isBytes ? Buffer.from(text) : text,
          }),
        );

        expect(statuses).toContain(reply.statusCode);
        expect(reply.headers).toMatchObject({ 'cache-control': 'no-store' });
        if (reply.statusCode < 400) return;
        expect(JSON.parse(reply.body)).toEqual({
          error: expect.stringMatching(/^(invalid|unsupported)_[a-z_]+$/),
          error_description: expect.stringMatching(DESCRIPTION),
        });
      },
    );
    await fc.assert(property, RUNS);
  });

  test('of arbitrary bytes is answered as a client error', async () => {
    const property = fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('/register', '/token', '/revoke'),
      fc.constantFrom('application/json', 'application/x-www-form-urlencoded'),
      async (bytes, path, type) => {
        const reply = await service.send(
          anEvent('POST', oauth(path), {
            headers: { 'content-type': type },
            body: bytes,
          }),
        );

        expect(reply.statusCode).toBe(400);
      },
    );
    await fc.assert(property, RUNS);
  }, 60_000);

  test.each([
    ['no media type', undefined],
    ['plain text', 'text/plain'],
    ['a multipart form', 'multipart/form-data; boundary=x'],
    ['XML', 'application/xml'],
    ['another media type that ends in +json', 'application/problem+json'],
    ['a media type that only ends like JSON', 'x/application/json'],
  ])('sent to /token with %s as content type is refused', async (_, type) => {
    const reply = await service.send(
      anEvent('POST', oauth('/token'), { headers: { 'content-type': type }, body: 'a=b' }),
    );

    expect(reply).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining('"error":"invalid_request"'),
    });
  });

  test.each([
    ['password', 'unsupported_grant_type'],
    ['client_credentials', 'unsupported_grant_type'],
    ['implicit', 'unsupported_grant_type'],
    ['urn:ietf:params:oauth:grant-type:device_code', 'unsupported_grant_type'],
    ['Authorization_Code', 'unsupported_grant_type'],
    ['', 'invalid_request'],
  ])('sent to /token with the grant type %j is refused', async (grantType, error) => {
    const reply = await service.send(
      anEvent('POST', oauth('/token'), {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: grantType,
          username: 'a',
          password: 'b',
        }).toString(),
      }),
    );

    expect(reply).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining(`"error":"${error}"`),
    });
  });

  test('is too large beyond 64 KB', async () => {
    const sent = (length: number) =>
      service.send(
        anEvent('POST', oauth('/revoke'), {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'token='.padEnd(length, 'a'),
        }),
      );

    expect((await sent(65_536)).statusCode).toBe(200);
    expect((await sent(65_537)).statusCode).toBe(400);
  });
});
