import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose';
import * as openid from 'openid-client';
import { authorize } from '../support/oauth/form-browser.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const CALLBACK = 'http://127.0.0.1:6278/callback';

let service: WholeService;
let person: Person;
let server: PublishedServer;

beforeAll(async () => {
  service = await startWholeService();
  person = await service.person();
  server = await service.publish(person);
});
afterAll(() => service.stop());

/** The user of an application, who signs in anew. */
const visit = (address: URL): Promise<URL> => authorize(service.browser(), address, person);

describe('openid-client', () => {
  /** Everything that the library checks is checked, but for the scheme of loopback. */
  const registered = async (
    metadata: Partial<openid.ClientMetadata> = {},
    auth?: openid.ClientAuth,
  ) => {
    const config = await openid.dynamicClientRegistration(
      new URL(service.issuer),
      { client_name: 'A strict one', redirect_uris: [CALLBACK], ...metadata },
      auth,
      {
        execute: [openid.allowInsecureRequests],
        [openid.customFetch]: (url, request) => service.fetch(url, request as RequestInit),
      },
    );
    return config;
  };

  const signedIn = async (config: openid.Configuration, asked: Record<string, string> = {}) => {
    const verifier = openid.randomPKCECodeVerifier();
    const [state, nonce] = [openid.randomState(), openid.randomNonce()];
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid email profile offline_access mcp.tools.read',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource: server.messagesUrl,
      state,
      nonce,
      ...asked,
    });
    const callback = await visit(address);
    return openid.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      maxAge: 60,
    });
  };

  test('reads who its user is in the ID token, and the same at userinfo', async () => {
    const config = await registered();
    const tokens = await signedIn(config);
    const claims = tokens.claims();

    expect(claims).toMatchObject({
      sub: person.id,
      email: person.email,
      email_verified: true,
      name: 'Ada Lovelace',
      aud: config.clientMetadata().client_id,
    });
    expect(await openid.fetchUserInfo(config, tokens.access_token, person.id)).toMatchObject({
      email: person.email,
    });
  });

  test('is granted offline_access with its refresh token, also in later answers', async () => {
    const config = await registered();
    const tokens = await signedIn(config);

    expect(config.serverMetadata().scopes_supported).toContain('offline_access');
    expect(tokens.scope).toBe('openid email profile mcp.tools.read offline_access');
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(next.scope).toBe(tokens.scope);
  });

  test('keeps its refresh token where it has a secret', async () => {
    const config = await registered({ token_endpoint_auth_method: 'client_secret_basic' });
    const tokens = await signedIn(config);
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');

    expect(next.refresh_token).toBe(tokens.refresh_token);
  });

  test('gets neither refresh token nor offline_access where it registered for the code alone', async () => {
    const config = await registered({ grant_types: ['authorization_code'] });
    const tokens = await signedIn(config);

    expect(tokens).not.toHaveProperty('refresh_token');
    expect(tokens.scope).toBe('openid email profile mcp.tools.read');
    expect(tokens.claims()?.sub).toBe(person.id);
  });
});

/** As Spring Security's login does it: form-encoded Basic, a hashed nonce, no client id in the body, userinfo at the end. */
test('a login in the shape of Spring Security ends with the claims of its user', async () => {
  const read = async (path: string, init?: RequestInit): Promise<Record<string, unknown>> =>
    (await (await service.fetch(`${service.issuer}${path}`, init)).json()) as Record<
      string,
      unknown
    >;
  const metadata = await read('/.well-known/openid-configuration');
  const client = await read('/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // The secret goes in Basic all the same, which is Spring's default.
    body: JSON.stringify({ client_name: 'A portal', redirect_uris: [CALLBACK] }),
  });
  const [id, secret] = [String(client['client_id']), String(client['client_secret'])];
  const verifier = `${randomUUID()}${randomUUID()}`;
  const hashed = (text: string) => createHash('sha256').update(text).digest('base64url');
  const nonce = randomUUID();
  const address = new URL(String(metadata['authorization_endpoint']));
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    scope: 'openid profile email',
    state: 'Yz7-_=',
    redirect_uri: CALLBACK,
    nonce: hashed(nonce),
    code_challenge: hashed(verifier),
    code_challenge_method: 'S256',
    resource: server.url,
  }).toString();

  const callback = await visit(address);
  const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`);
  const tokens = await read('/token', {
    method: 'POST',
    headers: { authorization: `Basic ${basic.toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    }),
  });

  const keys = createRemoteJWKSet(new URL(String(metadata['jwks_uri'])), {
    [customFetch]: (url, init) => service.fetch(url, init as RequestInit),
  });
  const { payload } = await jwtVerify(String(tokens['id_token']), keys, {
    issuer: service.issuer,
    audience: id,
    algorithms: metadata['id_token_signing_alg_values_supported'] as string[],
    requiredClaims: ['sub', 'exp', 'iat', 'auth_time', 'at_hash'],
  });
  expect(payload['nonce']).toBe(hashed(nonce));
  const bearer = { headers: { authorization: `Bearer ${String(tokens['access_token'])}` } };
  expect(await read('/userinfo', bearer)).toMatchObject({ sub: payload.sub, email: person.email });
});

test('an ID token opens nothing', async () => {
  const config = await openid.dynamicClientRegistration(
    new URL(service.issuer),
    { redirect_uris: [CALLBACK] },
    undefined,
    {
      execute: [openid.allowInsecureRequests],
      [openid.customFetch]: (url, request) => service.fetch(url, request as RequestInit),
    },
  );
  const verifier = openid.randomPKCECodeVerifier();
  const callback = await visit(
    openid.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource: server.messagesUrl,
    }),
  );
  const { id_token: idToken } = await openid.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
  });
  const headers = { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

  const [call, info, account] = await Promise.all([
    service.fetch(server.messagesUrl, { method: 'POST', headers, body }),
    service.fetch(`${service.issuer}/userinfo`, { headers }),
    service.fetch(`${service.issuer.replace('oauth-server', 'management')}/deployments`, {
      headers,
    }),
  ]);

  expect([call.status, info.status, account.status]).toEqual([401, 401, 401]);
});
