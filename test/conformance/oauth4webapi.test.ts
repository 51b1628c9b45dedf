import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import { authorize, type FormBrowser } from '../support/oauth/form-browser.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const REDIRECT_URI = 'http://127.0.0.1/callback';
/** The same, as the application that is started now listens. */
const CALLBACK = 'http://127.0.0.1:6278/callback';

let service: WholeService;
let person: Person;
let server: PublishedServer;
/** Its user signs in once. */
let browser: FormBrowser;
let as: oauth.AuthorizationServer;

const options = () => ({
  // It is loopback. Nothing else of the library's strictness is taken back.
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (url: string, request: object) => service.fetch(url, request),
});

beforeAll(async () => {
  service = await startWholeService();
  person = await service.person();
  server = await service.publish(person);
  browser = service.browser();
  as = await discovered('oauth2');
});
afterAll(() => service.stop());

const discovered = async (algorithm: 'oauth2' | 'oidc'): Promise<oauth.AuthorizationServer> => {
  const issuer = new URL(service.issuer);
  const answer = await oauth.discoveryRequest(issuer, { ...options(), algorithm });
  return oauth.processDiscoveryResponse(issuer, answer);
};

describe('discovery with oauth4webapi', () => {
  test.each([
    ['/messages', ({ messagesUrl }: PublishedServer) => messagesUrl],
    ['the base URL', ({ url }: PublishedServer) => url],
  ])('finds the protected resource from %s', async (_, urlOf) => {
    const resource = new URL(urlOf(server));

    const answer = await oauth.resourceDiscoveryRequest(resource, options());
    const metadata = await oauth.processResourceDiscoveryResponse(resource, answer);

    expect(metadata.authorization_servers).toEqual([service.issuer]);
  });

  test('finds the same authorization server metadata in both formats', async () => {
    expect(as).toMatchObject({
      issuer: service.issuer,
      authorization_response_iss_parameter_supported: true,
    });
    expect(await discovered('oidc')).toMatchObject(as);
  });
});

interface Registered {
  readonly client: oauth.Client;
  readonly auth: oauth.ClientAuth;
}

const METHODS: readonly (readonly [string, (secret: string) => oauth.ClientAuth])[] = [
  ['none', () => oauth.None()],
  ['client_secret_post', oauth.ClientSecretPost],
  ['client_secret_basic', oauth.ClientSecretBasic],
];

const registered = async (
  method: string,
  authOf: (secret: string) => oauth.ClientAuth,
): Promise<Registered> => {
  const answer = await oauth.dynamicClientRegistrationRequest(
    as,
    {
      client_name: 'A strict one',
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: method,
    },
    options(),
  );
  const { client_secret: secret = '', ...client } =
    await oauth.processDynamicClientRegistrationResponse(answer);
  return { client, auth: authOf(String(secret)) };
};

interface Consent {
  readonly answer: URLSearchParams;
  readonly verifier: string;
}

/** What the user's answer brings, checked as strictly as the library does. */
const consent = async (
  { client }: Registered,
  decision: 'approve' | 'deny' = 'approve',
): Promise<Consent> => {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(as.authorization_endpoint ?? '');
  address.search = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    scope: 'openid email profile mcp.tools.read mcp.tools.execute',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource: server.messagesUrl,
  }).toString();
  const callback = await authorize(browser, address, person, { decision });
  return { answer: oauth.validateAuthResponse(as, client, callback, state), verifier };
};

const redeemed = async (
  { client, auth }: Registered,
  { answer, verifier }: Consent,
): Promise<oauth.TokenEndpointResponse> =>
  oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, auth, answer, CALLBACK, verifier, {
      ...options(),
      additionalParameters: { resource: server.messagesUrl },
    }),
  );

const refreshed = async (
  { client, auth }: Registered,
  refreshToken = '',
): Promise<oauth.TokenEndpointResponse> =>
  oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, auth, refreshToken, options()),
  );

const userInfo = async ({ client }: Registered, accessToken: string) =>
  oauth.processUserInfoResponse(
    as,
    client,
    person.id,
    await oauth.userInfoRequest(as, client, accessToken, options()),
  );

const revoke = async ({ client, auth }: Registered, token = ''): Promise<void> =>
  oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, auth, token, options()),
  );

/** A request to the deployment with an access token. */
const listTools = (accessToken: string): Promise<Response> =>
  oauth.protectedResourceRequest(
    accessToken,
    'POST',
    new URL(server.messagesUrl),
    new Headers({ 'content-type': 'application/json' }),
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    options(),
  );

describe.each(METHODS)('oauth4webapi with %s', (method, authOf) => {
  let application: Registered;
  let tokens: oauth.TokenEndpointResponse;

  beforeAll(async () => {
    application = await registered(method, authOf);
    tokens = await redeemed(application, await consent(application));
  });

  test('exchanges its code for tokens that the MCP server accepts', async () => {
    expect(tokens).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'openid email profile mcp.tools.read mcp.tools.execute',
    });
    expect((await listTools(tokens.access_token)).status).toBe(200);
  });

  test('reads the claims of its user', async () => {
    expect(await userInfo(application, tokens.access_token)).toEqual({
      sub: person.id,
      email: person.email,
      email_verified: true,
      name: 'Ada Lovelace',
    });
  });

  test('refreshes its tokens and revokes them', async () => {
    const next = await refreshed(application, tokens.refresh_token);
    expect(next.access_token).not.toBe(tokens.access_token);
    expect(next.refresh_token !== tokens.refresh_token).toBe(method === 'none');
    const { refresh_token = tokens.refresh_token } = next;

    await revoke(application, next.access_token);
    await expect(listTools(next.access_token)).rejects.toMatchObject({
      status: 401,
      cause: [{ scheme: 'bearer', parameters: { realm: 'mcp', error: 'invalid_token' } }],
    });

    await revoke(application, refresh_token);
    await expect(refreshed(application, refresh_token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    // The text: access tokens live on when the refresh token is revoked.
    expect((await listTools(tokens.access_token)).status).toBe(200);
  });

  test('is refused with a wrong code verifier and succeeds with the right one', async () => {
    const given = await consent(application);
    const verifier = oauth.generateRandomCodeVerifier();

    await expect(redeemed(application, { ...given, verifier })).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(await redeemed(application, given)).toMatchObject({ token_type: 'bearer' });
  });

  test('loses its tokens when its code is used twice', async () => {
    const given = await consent(application);
    const { access_token, refresh_token } = await redeemed(application, given);

    await expect(redeemed(application, given)).rejects.toMatchObject({ error: 'invalid_grant' });

    await expect(listTools(access_token)).rejects.toMatchObject({ status: 401 });
    await expect(refreshed(application, refresh_token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('gets access_denied when the user denies', async () => {
    await expect(consent(application, 'deny')).rejects.toMatchObject({ error: 'access_denied' });
  });
});

describe('oauth4webapi with wrong credentials', () => {
  test.each([
    ['client_secret_basic', oauth.ClientSecretBasic],
    ['client_secret_post', oauth.ClientSecretPost],
  ] as const)('is refused with a wrong secret by %s', async (method, authOf) => {
    const { client } = await registered(method, authOf);
    const impostor = { client, auth: authOf('secret_of-somebody-else-entirely') };

    const attempt = refreshed(impostor, 'mcp_refresh_of-nobody');

    await expect(attempt).rejects.toMatchObject(
      method === 'client_secret_basic'
        ? { status: 401, cause: [{ scheme: 'basic' }] }
        : { status: 401, error: 'invalid_client' },
    );
  });

  test('is refused with another method than it registered', async () => {
    const { client } = await registered('client_secret_basic', oauth.ClientSecretBasic);
    const attempt = refreshed({ client, auth: oauth.None() }, 'mcp_refresh_of-nobody');
    await expect(attempt).rejects.toMatchObject({ status: 401, error: 'invalid_client' });
  });

  test('is refused with the tokens of another client', async () => {
    const [owner, thief] = [
      await registered('none', oauth.None),
      await registered('none', oauth.None),
    ];
    const { refresh_token } = await redeemed(owner, await consent(owner));

    await expect(refreshed(thief, refresh_token)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await revoke(thief, refresh_token);

    expect(await refreshed(owner, refresh_token)).toMatchObject({ token_type: 'bearer' });
  });
});

test('no secret was logged, stored or answered where it should not be', async () => {
  expect(service.wire.secrets().length).toBeGreaterThan(30);
  expect(await service.leaks()).toEqual([]);
});
