import { afterAll, describe, expect, test } from '@jest/globals';
import { anOAuthService, ISSUER } from '../../support/oauth/oauth.ts';
import { bodyOf, oauth } from '../../support/oauth/oauth-requests.ts';
import { anEvent } from '../../support/mcp/router-events.ts';

const service = await anOAuthService();
afterAll(() => service.stop());

const fetchFrom = (path: string, method = 'GET') => service.send(anEvent(method, path));

const SERVER = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  revocation_endpoint: `${ISSUER}/revoke`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  registration_endpoint: `${ISSUER}/register`,
  jwks_uri: `${ISSUER}/.well-known/jwks.json`,
  scopes_supported: [
    'openid',
    'email',
    'mcp.tools.read',
    'mcp.tools.execute',
    'profile',
    'offline_access',
  ],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
  authorization_response_iss_parameter_supported: true,
  id_token_signing_alg_values_supported: ['ES256'],
  client_id_metadata_document_supported: true,
};

/** Where standards look for it. */
const WITH_KEYS = {
  ...SERVER,
  token_endpoint_auth_methods_supported: [
    ...SERVER.token_endpoint_auth_methods_supported,
    'private_key_jwt',
  ],
  token_endpoint_auth_signing_alg_values_supported: ['RS256', 'PS256', 'ES256', 'EdDSA'],
};

const INSERTED = '/.well-known/oauth-authorization-server/v1/mcp-oauth-server';
const APPENDED = oauth('/.well-known/oauth-authorization-server');
const AUTHORIZATION_SERVER = [INSERTED, APPENDED];
const OPENID = [
  '/.well-known/openid-configuration/v1/mcp-oauth-server',
  oauth('/.well-known/openid-configuration'),
];
const JWKS = oauth('/.well-known/jwks.json');

describe('the authorization server metadata', () => {
  test.each([
    [INSERTED, 'with keys as a way to authenticate', WITH_KEYS],
    [APPENDED, 'with the ways of clients that register', SERVER],
  ])('is served at %s %s', async (path, _, document) => {
    expect(bodyOf(await fetchFrom(path))).toEqual(document);
  });

  test.each(OPENID)('is served at %s with the fields that OpenID clients need', async (path) => {
    expect(bodyOf(await fetchFrom(path))).toEqual({
      ...WITH_KEYS,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      claims_supported: expect.arrayContaining(['iss', 'sub', 'aud', 'nonce', 'at_hash', 'email']),
      claims_parameter_supported: false,
      request_uri_parameter_supported: false,
    });
  });

  test('does not depend on the Host header', async () => {
    const headers = { host: 'evil.com', 'x-forwarded-host': 'evil.com' };

    const reply = await service.send(anEvent('GET', INSERTED, { headers }));

    expect(bodyOf(reply)).toEqual(WITH_KEYS);
  });

  test.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    oauth('/.well-known/other'),
  ])('is not served at %s', async (path) => {
    expect((await fetchFrom(path)).statusCode).toBe(404);
  });
});

test('the authorization server metadata is also served at the root if configured', async () => {
  const open = await anOAuthService({ rootAuthorizationServer: true });
  const at = async (path: string) => (await open.send(anEvent('GET', path))).statusCode;

  expect(
    bodyOf(await open.send(anEvent('GET', '/.well-known/oauth-authorization-server'))),
  ).toEqual(WITH_KEYS);
  expect(await at('/.well-known/openid-configuration')).toBe(404);
  await open.stop();
});

describe('every metadata document', () => {
  test.each([...AUTHORIZATION_SERVER, ...OPENID])('at %s has the CORS headers', async (path) => {
    const { headers } = await fetchFrom(path);

    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST, OPTIONS',
      'access-control-allow-headers': 'authorization, content-type',
      'mcp-protocol-version': '2025-03-26',
    });
  });

  test.each([...AUTHORIZATION_SERVER, ...OPENID, JWKS])(
    'at %s answers HEAD with the headers of GET',
    async (path) => {
      const [head, get] = [await fetchFrom(path, 'HEAD'), await fetchFrom(path)];

      expect(head).toEqual({ ...get, body: '', isBase64Encoded: false });
    },
  );
});

describe('the JSON Web Key Set', () => {
  test('contains the public keys of sessions and minted tokens and no private part', async () => {
    const reply = await fetchFrom(JWKS);
    const publicKey = {
      kty: 'EC',
      crv: 'P-256',
      x: expect.stringMatching(/^[\w-]{43}$/),
      y: expect.stringMatching(/^[\w-]{43}$/),
      kid: expect.stringMatching(/^[\w-]{43}$/),
      alg: 'ES256',
      use: 'sig',
    };

    expect(bodyOf(reply)).toEqual({ keys: [publicKey, publicKey] });
  });

  test('may be cached for five minutes', async () => {
    const { headers } = await fetchFrom(JWKS);

    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    });
  });
});

describe('CORS at the OAuth endpoints', () => {
  test.each([
    ...['/register', '/token', '/revoke', '/userinfo'].map(oauth),
    ...AUTHORIZATION_SERVER,
    ...OPENID,
    JWKS,
  ])('lets browser clients of any origin call %s without cookies', async (path) => {
    const headers = {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };

    const reply = await service.send(anEvent('OPTIONS', path, { headers }));

    expect(reply).toMatchObject({
      statusCode: 204,
      body: '',
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, OPTIONS',
        'access-control-allow-headers': expect.stringMatching(/authorization.*content-type/),
      },
    });
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each([
    ['/register', 'PUT'],
    ['/token', 'GET'],
    ['/revoke', 'DELETE'],
    ['/userinfo', 'PATCH'],
  ])('refuses at %s the method %s', async (path, method) => {
    const reply = await fetchFrom(oauth(path), method);

    expect(reply.statusCode).toBe(405);
    expect(reply.headers['allow']).toContain('OPTIONS');
  });
});
