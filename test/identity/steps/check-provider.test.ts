import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoIdentityProviders } from '../../../layers/identity/store/providers.ts';
import type { IdentityProvider } from '../../../layers/identity/rules/providers.ts';
import { endpointsIn } from '../../../layers/identity/rules/sign-in.ts';
import { type DemoIdp, startDemoIdp } from '../../../local/demo-idp/index.ts';
import { anOAuthService, BASE_URL, NOON, type TestOAuth } from '../../support/oauth/oauth.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

const DAY = 24 * 60 * 60;
const WRONG = 'CANARY-wrong-secret-of-the-client';

/** What a provider says of itself, and what it answers to a client by what that shows. */
let metadata: Readonly<Record<string, unknown>> = {};
let tokenAnswer: (authorization: string) => readonly [status: number, body: object];

let service: TestOAuth;
let acme: DemoIdp;
let folder: string;
let other: Awaited<ReturnType<typeof anHttpServer>>;
let entry: IdentityProvider;
let revision = 1;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-check-'));
  acme = await startDemoIdp({ baseUrl: BASE_URL, dataFolder: folder, preferredPort: 0 });
  other = await anHttpServer((request, response) => {
    const json = (status: number, body: object) =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(body));
    if (request.url === '/.well-known/openid-configuration') return json(200, metadata);
    if (request.url === '/keys') return json(200, { keys: [] });
    if (request.url !== '/token') return json(404, {});
    json(...tokenAnswer(String(request.headers['authorization'])));
  });
  const said = await fetch(`${acme.issuer}/.well-known/openid-configuration`);
  const document = new Uint8Array(await said.arrayBuffer());
  const { jwks_uri: keys } = JSON.parse(Buffer.from(document).toString()) as { jwks_uri: string };
  entry = {
    ...(acme.provider as IdentityProvider),
    subject_claim: 'sub',
    email_rule: 'verified',
    sign_in: { client_id: 'hosted-mcp', client_auth: 'basic', scopes: ['openid', 'email'] },
    jwks_uri: keys,
    endpoints: endpointsIn(document)!,
  };
  service = await anOAuthService({ identityProviders: [entry] });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([acme.close(), other[Symbol.asyncDispose](), rm(folder, { recursive: true })]);
});

const apply = async (over: Partial<IdentityProvider>): Promise<void> => {
  const register = dynamoIdentityProviders(
    service.store.instance(),
    service.store.tableName('oauth'),
  );
  revision += 1;
  await register.replace({ providers: [{ ...entry, ...over }], revision });
};

/** The other provider, as a list has it. */
const ofOther = () => ({
  issuer: other.url,
  jwks_uri: `${other.url}/keys`,
  endpoints: {
    authorization_endpoint: `${other.url}/authorize`,
    token_endpoint: `${other.url}/token`,
    authorization_response_iss_parameter_supported: false,
  },
});

const setSecret = (secret: string) =>
  service.identity({ operator: 'set-provider-secret', provider: 'demo', secret });

interface Answer {
  readonly redirect_uri?: string;
  readonly checks: readonly { readonly check: string; outcome: string; says: string }[];
}
const check = async () =>
  (await service.identity({ operator: 'check-provider', provider: 'demo' })) as Answer;
const outcomeOf = async (name: string) => (await check()).checks.find((one) => one.check === name);

describe('a check of oidc-provider', () => {
  test('finds all as it is, and tells the redirect URI', async () => {
    await apply({});
    await setSecret(acme.clientSecret);
    const answer = await check();

    expect(answer.redirect_uri).toBe(`${BASE_URL}/mcp-oauth-server/sign-in/demo/callback`);
    expect(Object.fromEntries(answer.checks.map((one) => [one.check, one.outcome]))).toEqual({
      metadata: 'good',
      scopes: 'good',
      client_auth: 'good',
      keys: 'good',
      secret: 'good',
    });
    expect(JSON.stringify(answer)).not.toContain(acme.clientSecret);
  });

  test('tells a wrong secret, and repeats it nowhere', async () => {
    await apply({});
    await setSecret(WRONG);
    const answer = await check();

    expect(answer.checks.find((one) => one.check === 'secret')).toEqual({
      check: 'secret',
      outcome: 'wrong',
      says: 'it answers invalid_client',
    });
    expect(JSON.stringify([answer, service.lines])).not.toContain(WRONG);
  });

  test('tells that no secret is stored for another client', async () => {
    await apply({ sign_in: { client_id: 'another', client_auth: 'basic', scopes: ['openid'] } });

    expect(await outcomeOf('secret')).toMatchObject({ outcome: 'wrong' });
  });

  test('names scopes that it does not list, which may work', async () => {
    const scopes = ['openid', 'refunds:write'];
    await apply({ sign_in: { client_id: 'hosted-mcp', client_auth: 'basic', scopes } });

    expect(await outcomeOf('scopes')).toEqual({
      check: 'scopes',
      outcome: 'unsure',
      says: 'not among its scopes_supported: refunds:write',
    });
  });

  test('tells endpoints that are others now', async () => {
    const endpoints = { ...entry.endpoints!, token_endpoint: `${acme.issuer}/former` };
    await apply({ endpoints });

    expect(await outcomeOf('metadata')).toMatchObject({
      outcome: 'wrong',
      says: 'another token_endpoint: apply the list again',
    });
  });

  test.each([
    [31, 'good'],
    [30, 'unsure'],
    [1, 'unsure'],
    [0, 'wrong'],
  ])('%d days before the secret ends it says %s', async (days, outcome) => {
    const ends = new Date((NOON + days * DAY) * 1000).toISOString().slice(0, 10);
    await apply({ sign_in: { ...entry.sign_in!, secret_ends: ends } });

    expect(await outcomeOf('secret_ends')).toMatchObject({ outcome });
  });
});

describe('a check of other providers', () => {
  const answering = async (answer: typeof tokenAnswer) => {
    tokenAnswer = answer;
    metadata = {
      issuer: other.url,
      authorization_endpoint: `${other.url}/authorize`,
      token_endpoint: `${other.url}/token`,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    };
    await apply(ofOther());
    await setSecret('CANARY-of-the-other');
  };

  test('is not sure of a secret where the code is looked at first', async () => {
    await answering(() => [400, { error: 'invalid_grant' }]);

    expect(await outcomeOf('secret')).toMatchObject({
      outcome: 'unsure',
      says: 'not told: this provider looks at the code first',
    });
  });

  test('shows no text of theirs that is no code of an error', async () => {
    await answering((shown) => [400, { error: `<b>${shown}</b>` }]);

    expect(await outcomeOf('secret')).toMatchObject({ says: 'it answers 400 without an error' });
  });

  test('tells a way to show the secret that they do not take, and keys that are none', async () => {
    await answering(() => [401, {}]);

    expect(await outcomeOf('client_auth')).toMatchObject({ outcome: 'wrong' });
    expect(await outcomeOf('keys')).toMatchObject({ outcome: 'wrong' });
    expect(await outcomeOf('secret')).toMatchObject({ outcome: 'wrong' });
  });

  test('tells metadata of another issuer', async () => {
    await answering(() => [400, { error: 'invalid_grant' }]);
    metadata = { ...metadata, issuer: 'https://evil.example' };

    expect(await outcomeOf('metadata')).toMatchObject({ outcome: 'wrong' });
  });

  test('finds nobody of another name', async () => {
    const nobody = await service.identity({ operator: 'check-provider', provider: 'nobody' });

    expect(nobody).toMatchObject({ ok: false, code: 'not_found' });
  });
});
