import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/oauth/routes/server.ts';
import { knownUser } from '../../../layers/identity/steps/known-user.ts';
import { operatorCommands } from '../../../layers/oauth/routes/operator.ts';
import { dynamoGrants } from '../../../layers/oauth/store/grants.ts';
import { DEFAULT_LIMITS } from '../../../layers/limits/rules/limits.ts';
import { eachAtOnce } from '../../../layers/platform/rules/at-once.ts';
import type { User } from '../../../layers/accounts/rules/user.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import type { OAuthClient } from '../../../layers/tokens/rules/oauth-records.ts';
import { aSigner } from '../../support/oauth/client-assertions.ts';
import {
  ACME_SIGN_IN,
  anIdentityProvider,
  type TestIdentityProvider,
} from '../../support/oauth/identity-provider.ts';
import {
  aClient,
  anOAuthService,
  BASE_URL,
  ISSUER,
  NOON,
  type TestOAuth,
} from '../../support/oauth/oauth.ts';
import {
  answered,
  bodyOf,
  form,
  jsonPost,
  oauth,
  opens,
  sentFrom,
} from '../../support/oauth/oauth-requests.ts';
import { MAY_CHECK } from '../../support/oauth/people.ts';
import { anAddress, get } from '../../support/mcp/router-events.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SECRET = 'secret_of-the-client';
const BOTH = 'mcp.tools.read mcp.tools.execute';

/** Where people sign in, whose assertions nobody takes. */
const SIGNING = {
  ...ACME_SIGN_IN,
  id: 'signing',
  issuer: 'https://idp.signing.example',
  email_domains: ['signing.example'],
};

let service: TestOAuth;
let acme: TestIdentityProvider;
let lax: TestIdentityProvider;
/** Makes accounts, and knows people by another claim than the others. */
let generous: TestIdentityProvider;
let client: OAuthClient;
/** Where anybody may log in. */
let slug: string;

beforeAll(async () => {
  acme = await anIdentityProvider(() => NOON);
  lax = await anIdentityProvider(() => NOON, 'https://idp.lax.example');
  generous = await anIdentityProvider(() => NOON, 'https://idp.generous.example');
  service = await anOAuthService({
    identityProviders: [
      acme.config,
      {
        ...lax.config,
        id: 'lax',
        name: 'Lax',
        deployments: ['wiki'],
        email_domains: ['lax.example'],
        email_rule: 'trusted',
        assertions: { public_clients: true, tenant: 't1' },
      },
      {
        ...generous.config,
        id: 'generous',
        name: 'Generous',
        email_domains: ['generous.example'],
        subject_claim: 'oid',
        create_accounts: true,
        plan: 'pro',
        assertions: { public_clients: true },
      },
      SIGNING,
    ],
  });
  client = await service.client({ authMethod: 'client_secret_post', secret: fingerprint(SECRET) });
  await service.deployment({ slug: 'wiki', access: { mode: 'any_user' } });
  ({ slug } = await service.deployment({ access: { mode: 'any_user' } }));
});
afterAll(async () => {
  await service.stop();
  await acme[Symbol.asyncDispose]();
  await lax[Symbol.asyncDispose]();
  await generous[Symbol.asyncDispose]();
});

type Sent = Readonly<Record<string, unknown>>;

const resourceOf = (name: string) => `${BASE_URL}/mcp-router/${name}/messages`;
const claimsFor = (over: Sent = {}) => ({
  aud: ISSUER,
  client_id: client.id,
  resource: resourceOf(slug),
  scope: BOTH,
  ...over,
});
/** Somebody with an account, as the provider speaks of them. */
const somebody = async (over: Partial<User> = {}) => {
  const email = `${randomUUID()}@acme.example`;
  const user = await service.user({ email, ...over });
  return { user, claims: { sub: randomUUID(), email: user.email, email_verified: true } };
};
const show = (assertion: string, over: Readonly<Record<string, string | undefined>> = {}) =>
  service.send(
    form('/token', {
      grant_type: JWT_BEARER,
      assertion,
      client_id: client.id,
      client_secret: SECRET,
      ...over,
    }),
  );
const showing = async (claims: Sent, over = {}) => show(await acme.sign(claimsFor(claims)), over);
const lastReason = () => service.lines.findLast(({ message }) => message === 'request')?.['why'];
const REFUSED = { status: 400, error: 'invalid_grant' };

describe('an identity assertion', () => {
  test('buys an access token for the account of its verified e-mail, and no refresh token', async () => {
    const { user, claims } = await somebody();

    const reply = await showing(claims);

    expect(reply.statusCode).toBe(200);
    const { access_token: text, ...rest } = bodyOf(reply);
    expect(rest).toEqual({ token_type: 'Bearer', expires_in: 3600, scope: BOTH });
    const record = await service.ports.accessTokens.find(fingerprint(String(text)));
    expect(record).toMatchObject({ userId: user.id, clientId: client.id, expiresAt: NOON + 3600 });
    expect(service.lines.findLast(({ event }) => event === 'access_granted')).toMatchObject({
      slug,
      subject: user.id,
      why: `${client.id} (${client.name})`,
    });
  });

  test('has its company asked again as soon as the service says, whatever the owner of the server says', async () => {
    const patient = await service.deployment({
      access: { mode: 'any_user' },
      accessTokenSeconds: 86_400,
    });
    const { claims } = await somebody();

    const reply = await showing({ ...claims, resource: resourceOf(patient.slug) });

    expect(bodyOf(reply)).toMatchObject({ expires_in: 3600 });
  });

  test('makes a grant that can be ended, and ends with its token', async () => {
    const { user, claims } = await somebody();
    const { access_token } = bodyOf(await showing({ ...claims, scope: `openid ${BOTH}` }));
    const record = await service.ports.accessTokens.find(fingerprint(String(access_token)));
    const { grantId = '' } = record ?? {};

    const { store } = service;
    const listed = dynamoGrants(store.instance(), store.tableName('oauth'), DEFAULT_LIMITS);
    const grants = await listed.pageOfUser(user.id, { limit: 10 }, NOON);
    expect(grants.items).toMatchObject([{ grant: { id: grantId, slug }, expiresAt: NOON + 3600 }]);
    expect(await opens(service, access_token)).toBe(true);
    await service.ports.grants.end(grantId, NOON);
    expect(await opens(service, access_token)).toBe(false);
  });

  test('is good once', async () => {
    const { claims } = await somebody();
    const assertion = await acme.sign(claimsFor(claims));
    expect((await show(assertion)).statusCode).toBe(200);

    expect(answered(await show(assertion))).toEqual(REFUSED);
    expect(lastReason()).toBe('identity assertion: used before');
  });

  test('is accepted from one of ten at once', async () => {
    const { claims } = await somebody();
    const assertion = await acme.sign(claimsFor(claims));

    const replies = await Promise.all(Array.from({ length: 10 }, () => show(assertion)));

    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  test('stays good where its request was wrong in something else', async () => {
    const { claims } = await somebody();
    const assertion = await acme.sign(claimsFor(claims));

    expect(answered(await show(assertion, { scope: 'email' })).error).toBe('invalid_scope');
    expect((await show(assertion)).statusCode).toBe(200);
  });

  test.each<[string, string, Sent, object]>([
    ['of another type', 'not of the type of such assertions', {}, { typ: 'JWT' }],
    ['of no type', 'not of the type of such assertions', {}, { typ: undefined }],
    ['of an unknown issuer', 'unknown issuer', { iss: 'https://other.example' }, {}],
    ['of a tenant', 'of another tenant', { tenant: 't1' }, {}],
    ['for another server', 'token for another audience', { aud: 'https://other.example' }, {}],
    ['for its token endpoint', 'token for another audience', { aud: `${ISSUER}/token` }, {}],
    [
      'for another server as well',
      'token for other audiences as well',
      { aud: [ISSUER, 'https://x.example'] },
      {},
    ],
    ['for nobody', 'token for another audience', { aud: undefined }, {}],
    ['for another client', 'for another client', { client_id: 'mcp_other' }, {}],
    ['for no client', 'no usable client_id', { client_id: undefined }, {}],
    ['for another resource', 'for no deployment', { resource: 'https://x.example/mcp' }, {}],
    [
      'for no resource, if its request names none',
      'for no deployment',
      { resource: undefined },
      {},
    ],
    [
      'for two resources',
      'for no deployment',
      { resource: [resourceOf('wiki'), resourceOf('crm')] },
      {},
    ],
    ['for no deployment', 'no deployment that takes logins', { resource: resourceOf('none') }, {}],
    ['without an end', 'no usable exp', { exp: undefined }, {}],
    ['that has ended', 'token expired', { exp: NOON - 60 }, {}],
    ['that lives more than an hour', 'lives too long', { exp: NOON + 3661 }, {}],
    ['that is not valid yet', 'token not valid yet', { nbf: NOON + 61 }, {}],
    ['from the future', 'not issued yet', { iat: NOON + 61 }, {}],
    ['of no time', 'no usable iat', { iat: undefined }, {}],
    ['without a jti', 'no usable jti', { jti: undefined }, {}],
    ['with too long a jti', 'no usable jti', { jti: 'x'.repeat(257) }, {}],
    ['of nobody', 'no usable sub', { sub: undefined }, {}],
    ['with a list of scopes', 'no usable scope', { scope: ['mcp.tools.read'] }, {}],
    ['that wants extensions understood', 'not a signed JWT', {}, { crit: ['b64'], b64: true }],
  ])('is refused %s', async (_, why, over, header) => {
    const { claims } = await somebody();
    const assertion = await acme.sign(claimsFor({ ...claims, ...over }), header);

    expect(answered(await show(assertion))).toEqual(REFUSED);
    expect(lastReason()).toBe(`identity assertion: ${why}`);
  });

  test.each<[string, Sent]>([
    ['a minute after its end', { exp: NOON - 59 }],
    ['for the base of a deployment', { resource: () => `${BASE_URL}/mcp-router/${slug}` }],
    ['with its one audience in a list', { aud: [ISSUER] }],
    ['for an hour', { exp: NOON + 3660 }],
  ])('is taken %s', async (_, over) => {
    const { claims } = await somebody();
    const resolved = Object.fromEntries(
      Object.entries(over).map(([name, value]) => [
        name,
        typeof value === 'function' ? value() : value,
      ]),
    );

    expect((await showing({ ...claims, ...resolved })).statusCode).toBe(200);
  });

  test('is refused where its provider has not signed it', async () => {
    const { claims } = await somebody();

    expect(answered(await show(await acme.forge(claimsFor(claims))))).toEqual(REFUSED);
    expect(lastReason()).toMatch(/^identity assertion: signature not accepted/);
  });

  test.each([
    ['is unsigned', () => `${encoded({ alg: 'none', typ: 'oauth-id-jag+jwt' })}.${encoded({})}.`],
    [
      'has a shared secret',
      () => `${encoded({ alg: 'HS256', typ: 'oauth-id-jag+jwt' })}.${encoded({})}.x`,
    ],
    ['is no JWT', () => 'hello'],
    ['is too long', () => 'x'.repeat(16 * 1024 + 1)],
  ])('is refused where it %s, and no keys are asked for', async (_, text) => {
    const before = acme.asked();

    expect(answered(await show(text()))).toEqual(REFUSED);
    expect(acme.asked()).toBe(before);
  });

  test('is needed', async () => {
    const reply = await show('');
    expect(answered(reply)).toEqual({ status: 400, error: 'invalid_request' });
  });
});

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the client that shows an assertion', () => {
  test('has to authenticate', async () => {
    const { claims } = await somebody();

    const wrong = await showing(claims, { client_secret: 'secret_other' });
    const without = await showing(claims, { client_secret: undefined });

    for (const reply of [wrong, without]) {
      expect(answered(reply)).toEqual({ status: 401, error: 'invalid_client' });
    }
  });

  test('is refused if it is public', async () => {
    const open = await service.client();
    const { claims } = await somebody();
    const asOpen = { client_id: open.id, client_secret: undefined };

    expect(answered(await showing({ ...claims, client_id: open.id }, asOpen))).toEqual(REFUSED);
    expect(lastReason()).toBe('identity assertion: client has not authenticated');
  });

  test('may be public where the operator trusts the provider with that', async () => {
    const open = await service.client();
    const email = `${randomUUID()}@lax.example`;
    await service.user({ email });
    const claims = {
      client_id: open.id,
      sub: 'U2',
      email,
      tenant: 't1',
      resource: resourceOf('wiki'),
    };
    const assertion = await lax.sign(claimsFor(claims));

    const reply = await show(assertion, { client_id: open.id, client_secret: undefined });

    expect(reply.statusCode).toBe(200);
  });

  test('may sign, where a document describes it', async () => {
    const signer = await aSigner();
    const id = 'https://app.example.com/enterprise.json';
    const keys = { list: [signer.jwk] };
    const document = {
      id,
      source: 'metadata_document',
      authMethod: 'private_key_jwt',
      keys,
    } as const;
    await service.ports.clients.put(aClient(document));
    const { claims } = await somebody();

    const proof = await signer.sign(id);
    const reply = await showing(
      { ...claims, client_id: id },
      { ...proof, client_id: id, client_secret: undefined },
    );

    expect(reply.statusCode).toBe(200);
  });

  test('has to sign where its document offers nothing else, whatever the provider is trusted with', async () => {
    const id = 'https://app.example.com/signing.json';
    const keys = { list: [(await aSigner()).jwk] };
    const document = {
      id,
      source: 'metadata_document',
      authMethod: 'private_key_jwt',
      keys,
    } as const;
    await service.ports.clients.put(aClient(document));
    const claims = { client_id: id, tenant: 't1', resource: resourceOf('wiki') };
    const assertion = await lax.sign(claimsFor(claims));

    const reply = await show(assertion, { client_id: id, client_secret: undefined });

    expect(answered(reply)).toEqual({ status: 401, error: 'invalid_client' });
  });

  test('makes us fetch ten documents a minute for one address, whichever ids it makes up', async () => {
    let fetched = 0;
    await using site = await anHttpServer((_, response) => {
      fetched += 1;
      response.writeHead(404).end();
    });
    const limited = await anOAuthService({
      identityProviders: [acme.config],
      limits: { token_per_minute_per_client: 10 },
    });
    const from = anAddress();
    const statuses: number[] = [];
    for (let number = 0; number < 12; number += 1) {
      const client_id = `${site.url}/${number}.json`;
      const sent = form('/token', { grant_type: JWT_BEARER, assertion: 'x', client_id });
      statuses.push((await limited.send(sentFrom(from, sent))).statusCode);
    }
    await limited.stop();

    expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
    expect(fetched).toBe(10);
  });

  test('is not read any more once its client has shown too many wrong ones, until the minute has ended', async () => {
    let asked = 0;
    const limited = await anOAuthService({
      identityProviders: [acme.config],
      limits: { client_assertions_per_minute_per_client: 2 },
    });
    const find = limited.ports.issuerKeys.find;
    const issuerKeys = {
      find: (...wanted: Parameters<typeof find>) => {
        asked += 1;
        return find(...wanted);
      },
    };
    const send = server({ ...limited.ports, issuerKeys });
    const confidential = { authMethod: 'client_secret_post', secret: fingerprint(SECRET) } as const;
    const { id: client_id } = await limited.client(confidential);
    const claims = { ...claimsFor(), client_id, resource: resourceOf('nowhere'), sub: 'ann' };
    const statuses: number[] = [];
    for (let number = 0; number < 5; number += 1) {
      const assertion = await acme.sign({ ...claims, jti: randomUUID() });
      const sent = { grant_type: JWT_BEARER, assertion, client_id, client_secret: SECRET };
      statuses.push((await send(form('/token', sent))).statusCode);
    }
    await limited.stop();

    expect(statuses).toEqual([400, 400, 429, 429, 429]);
    expect(asked).toBe(3);
  });

  test('learns nothing of what is wrong, and its failures are recorded', async () => {
    const { claims } = await somebody();
    const reply = await showing({ ...claims, aud: 'https://other.example' });

    expect(bodyOf(reply)).toEqual({
      error: 'invalid_grant',
      error_description: 'The identity assertion is not valid here.',
    });
    expect(
      service.lines.findLast(({ event }) => event === 'identity_assertion_refused'),
    ).toMatchObject({ subject: client.id, why: 'identity assertion: token for another audience' });
  });

  test('may name the resource that the assertion is for, and no other', async () => {
    const { claims } = await somebody();

    expect(answered(await showing(claims, { resource: resourceOf('wiki') }))).toEqual({
      status: 400,
      error: 'invalid_target',
    });
    expect((await showing(claims, { resource: resourceOf(slug) })).statusCode).toBe(200);
  });
});

describe('the scopes of an access token for an assertion', () => {
  test.each<[string, Sent, string | undefined, string | undefined]>([
    ['what it grants', { scope: 'mcp.tools.read' }, undefined, 'mcp.tools.read'],
    ['what is asked for of that', { scope: BOTH }, 'mcp.tools.execute openid', 'mcp.tools.execute'],
    ['nothing unknown', { scope: `${BOTH} admin` }, undefined, BOTH],
    ['none that it does not grant', { scope: 'mcp.tools.read' }, 'mcp.tools.execute', undefined],
    ['none where it grants none', { scope: undefined }, BOTH, undefined],
  ])('are %s', async (_, over, scope, expected) => {
    const { claims } = await somebody();
    const reply = await showing({ ...claims, ...over }, { scope });

    expect(expected === undefined ? answered(reply).error : bodyOf(reply)['scope']).toBe(
      expected ?? 'invalid_scope',
    );
  });

  test('are none that the client did not register for', async () => {
    const reader = await service.client({
      authMethod: 'client_secret_post',
      secret: fingerprint(SECRET),
      scopes: ['mcp.tools.read'],
    });
    const { claims } = await somebody();

    const reply = await showing({ ...claims, client_id: reader.id }, { client_id: reader.id });

    expect(bodyOf(reply)['scope']).toBe('mcp.tools.read');
  });
});

describe('the account that an assertion speaks of', () => {
  const UNCHECKED = 'Acme does not say that it has checked this address';
  test.each<[string, Sent, string]>([
    ['is not verified', { email_verified: false }, UNCHECKED],
    ['is not said to be verified', { email_verified: undefined }, UNCHECKED],
    ['is missing', { email: undefined }, 'Acme names no address'],
    ['is no address', { email: 'ada' }, 'has characters that accounts do not have'],
    [
      'is of a domain that its provider is not for',
      { email: 'ada@example.com' },
      'example.com is no domain of Acme here',
    ],
    [
      'only ends like such a domain',
      { email: 'ada@evil-acme.example' },
      'evil-acme.example is no domain of Acme here',
    ],
  ])('is not found by an e-mail that %s', async (_, over, why) => {
    const { claims } = await somebody();
    await service.user({ email: 'ada@example.com' });

    expect(answered(await showing({ ...claims, ...over }))).toEqual(REFUSED);
    expect(lastReason()).toContain(why);
  });

  test('has to be there', async () => {
    const claims = { sub: randomUUID(), email: 'nobody@acme.example', email_verified: true };

    expect(answered(await showing(claims))).toEqual(REFUSED);
    expect(lastReason()).toBe(
      'identity assertion: there is no account of this address, and Acme makes none',
    );
  });

  test('stays the one of its subject, whatever address it has later', async () => {
    const { user, claims } = await somebody();
    await showing(claims);
    const { access_token } = bodyOf(await showing({ sub: claims.sub, email: 'new@acme.example' }));

    const record = await service.ports.accessTokens.find(fingerprint(String(access_token)));
    expect(record?.userId).toBe(user.id);
  });

  /** Whose the address is now, and what the account is known by. */
  const seen = async (id: string) => {
    const { email, identities = [] } = (await service.ports.users.find(id)) ?? {};
    return { email, known: identities.length };
  };

  test.each([
    ['that was used', true],
    ['that a client has held back', false],
  ])('does not get its former address back by an older assertion %s', async (_, isUsed) => {
    const { user, claims } = await somebody();
    const at = (iat: number) => acme.sign(claimsFor({ ...claims, iat, exp: NOON + 300 }));
    await show(await at(NOON - 50));
    const former = await at(NOON - 40);
    if (isUsed) expect((await show(former)).statusCode).toBe(200);
    const email = `${randomUUID()}@acme.example`;
    const moving = claimsFor({ ...claims, email, iat: NOON - 30, exp: NOON + 300 });
    expect((await show(await acme.sign(moving))).statusCode).toBe(200);
    expect(await seen(user.id)).toEqual({ email, known: 1 });

    expect((await show(former)).statusCode).toBe(isUsed ? 400 : 200);
    expect(await seen(user.id)).toEqual({ email, known: 1 });
  });

  test('does not get its former address back by an assertion of the same second that was used', async () => {
    const { user, claims } = await somebody();
    const former = await acme.sign(claimsFor(claims));
    await show(former);
    const email = `${randomUUID()}@acme.example`;
    await showing({ ...claims, email });

    expect(answered(await show(former))).toEqual(REFUSED);
    expect(lastReason()).toBe('identity assertion: used before');
    expect(await seen(user.id)).toEqual({ email, known: 1 });
  });

  test('has no address of before its person was at the page of their company', async () => {
    const { user, claims } = await somebody();
    await showing(claims);
    const known = (await service.ports.users.find(user.id))!;
    const [identity] = known.identities!;
    await service.ports.users.replace({
      ...known,
      identities: [{ ...identity!, lastSignIn: NOON + 30 }],
      revision: known.revision + 1,
    });

    const email = `${randomUUID()}@acme.example`;
    expect((await showing({ ...claims, email })).statusCode).toBe(200);
    expect(await seen(user.id)).toEqual({ email: user.email, known: 1 });
  });

  const closed = () =>
    service.deployment({ access: { mode: 'allow_list', emails: [], domains: [] } });
  test.each<[string, () => Promise<Sent>, object, string]>([
    [
      'its access list',
      async () => ({ resource: resourceOf((await closed()).slug) }),
      {},
      'invalid_grant',
    ],
    ['its server', async () => ({ resource: resourceOf('none') }), {}, 'invalid_grant'],
    ['its scope', async () => ({}), { scope: 'email' }, 'invalid_scope'],
  ])('is neither linked nor moved where %s refuses it', async (_, claimsOf, sent, error) => {
    const { user, claims } = await somebody();
    const refused = { ...claims, ...(await claimsOf()) };

    expect(answered(await showing(refused, sent)).error).toBe(error);
    expect(await seen(user.id)).toEqual({ email: user.email, known: 0 });

    await showing(claims);
    const moved = { ...refused, email: `${randomUUID()}@acme.example` };
    expect(answered(await showing(moved, sent)).error).toBe(error);
    expect(await seen(user.id)).toEqual({ email: user.email, known: 1 });
  });

  test('is not linked where another company has ended it', async () => {
    const gone = { issuer: SIGNING.issuer, subject: fingerprint(randomUUID()) };
    const identities = [{ ...gone, checkedAt: NOON - 100, endedAt: NOON - 50 }];
    const { user, claims } = await somebody({ identities });

    expect(answered(await showing(claims)).error).toBe('invalid_grant');
    expect(await seen(user.id)).toEqual({ email: user.email, known: 1 });
  });

  test("has its mails where it had them if it is an operator's", async () => {
    const { user, claims } = await somebody();
    await service.ports.operatorMarks.put(user.id);
    await showing(claims);
    const other = `${randomUUID()}@acme.example`;
    expect((await showing({ ...claims, email: other })).statusCode).toBe(200);

    expect((await service.ports.users.find(user.id))?.email).toBe(user.email);
    expect(await service.ports.users.findByEmail(other)).toBeUndefined();
  });

  test('is never given to another subject that has its address later', async () => {
    const { claims } = await somebody();
    expect((await showing(claims)).statusCode).toBe(200);

    expect(answered(await showing({ ...claims, sub: randomUUID() }))).toEqual(REFUSED);
    expect(lastReason()).toBe(
      'identity assertion: the account of this address is of another subject',
    );
  });

  test('is given to another subject of its address once an operator forgets the first', async () => {
    const { user, claims } = await somebody();
    await showing(claims);
    const other = { ...claims, sub: randomUUID() };
    const forget = (more: object) =>
      operatorCommands(service.ports)({ operator: 'forget-identities', ...more });

    const elsewhere = { email: user.email, issuer: lax.config.issuer };
    expect(await forget(elsewhere)).toEqual({ ok: true, issuers: [] });
    expect(answered(await showing(other))).toEqual(REFUSED);
    expect(await forget({ email: user.email.toUpperCase() })).toEqual({
      ok: true,
      issuers: [acme.config.issuer],
    });
    expect(service.lines.findLast(({ event }) => event === 'identity_forgotten')).toMatchObject({
      subject: user.id,
      why: 'operator',
    });

    const { access_token } = bodyOf(await showing(other));
    const record = await service.ports.accessTokens.find(fingerprint(String(access_token)));
    expect(record?.userId).toBe(user.id);
    // The first one has no way back.
    expect(answered(await showing(claims))).toEqual(REFUSED);
    expect(await forget({ email: 'nobody@acme.example' })).toMatchObject({
      ok: false,
      code: 'not_found',
    });
  });

  test('is that of a subject which another request saw for the first time a moment ago', async () => {
    const { user, claims } = await somebody();
    await showing(claims);
    const { users } = service.ports;
    const { issuer, subject } = (await users.find(user.id))!.identities![0]!;
    const before = { ...users, findByIdentity: async () => undefined };
    const of = (its: typeof subject) =>
      knownUser(
        { ...service.ports, users: before },
        {
          provider: acme.config,
          subject: { issuer, claim: 'sub', subject: its },
          vouched: { email: user.email },
        },
      );

    expect((await of(subject)).id).toBe(user.id);
    await expect(of(fingerprint('another'))).rejects.toThrow('another subject');
  });

  test('is one for a subject that comes for the first time three times at once', async () => {
    const { user, claims } = await somebody();

    const replies = await Promise.all(Array.from({ length: 3 }, () => showing(claims)));

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect((await service.ports.users.find(user.id))?.identities).toHaveLength(1);
  });

  test('is another one once the first is gone', async () => {
    const { user, claims } = await somebody();
    await showing(claims);
    const known = await service.ports.users.find(user.id);
    if (!known) throw new Error('no user');
    await service.ports.users.remove(known);
    expect(answered(await showing(claims))).toEqual(REFUSED);

    const successor = await service.user({ email: user.email });

    const { access_token } = bodyOf(await showing(claims));
    const record = await service.ports.accessTokens.find(fingerprint(String(access_token)));
    expect(record?.userId).toBe(successor.id);
  });
});

describe('the account of somebody whom a provider brings for the first time', () => {
  const coming = async (claims: Sent, sent: Readonly<Record<string, string | undefined>> = {}) => {
    const open = await service.client();
    const assertion = await generous.sign(claimsFor({ client_id: open.id, ...claims }));
    return show(assertion, { client_id: open.id, client_secret: undefined, ...sent });
  };
  const aPerson = () => ({
    oid: randomUUID(),
    email: `${randomUUID()}@generous.example`,
    email_verified: true,
  });
  const userOf = async (reply: Awaited<ReturnType<typeof coming>>) => {
    const { access_token: text } = bodyOf(reply);
    const record = await service.ports.accessTokens.find(fingerprint(String(text)));
    return record && (await service.ports.users.find(record.userId));
  };

  test('is made, on the plan that the operator says, without a password', async () => {
    const person = aPerson();
    const reply = await coming(person);

    expect(reply.statusCode).toBe(200);
    const user = await userOf(reply);
    expect(user).toMatchObject({
      email: person.email,
      plan: 'pro',
      identities: [{ issuer: generous.issuer, claim: 'oid' }],
    });
    const { passwordHash = '' } = user ?? {};
    expect(await service.ports.passwords.verify(MAY_CHECK, '', passwordHash)).toBe(false);
    expect(service.lines.findLast(({ event }) => event === 'account_made')).toMatchObject({
      subject: user?.id,
      why: 'generous',
    });
  });

  test('is one, however many requests of theirs come at once', async () => {
    const person = aPerson();
    const replies = await Promise.all(Array.from({ length: 3 }, () => coming(person)));

    const ids = await Promise.all(replies.map(async (reply) => (await userOf(reply))?.id));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toBeDefined();
  });

  test('is not made for a server that does not let them in, nor for an assertion that was used', async () => {
    const person = aPerson();
    const made = async () => (await service.ports.users.findByEmail(person.email)) !== undefined;
    const { slug: mine } = await service.deployment({ access: { mode: 'owner' } });
    expect(answered(await coming({ ...person, resource: resourceOf(mine) }))).toEqual(REFUSED);
    expect(await made()).toBe(false);

    const jti = randomUUID();
    const user = (await userOf(await coming({ ...person, jti })))!;
    await service.ports.users.remove(user);
    expect(answered(await coming({ ...person, jti }))).toEqual(REFUSED);
    expect(await made()).toBe(false);
  });

  test('is not made without the claim that they are known by', async () => {
    const { oid: _, ...without } = aPerson();

    expect(answered(await coming({ ...without, sub: 'U1' }))).toEqual(REFUSED);
    expect(await service.ports.users.findByEmail(without.email)).toBeUndefined();
  });

  test('has the address that the provider vouches for later, unless somebody has it', async () => {
    const person = aPerson();
    const { id } = (await userOf(await coming(person)))!;
    const email = `${randomUUID()}@generous.example`;

    expect(await userOf(await coming({ ...person, email }))).toMatchObject({ id, email });
    expect(await service.ports.users.findByEmail(person.email)).toBeUndefined();
    expect((await service.ports.users.findByEmail(email))?.id).toBe(id);

    const { email: taken } = await service.user({ email: `${randomUUID()}@generous.example` });
    expect(await userOf(await coming({ ...person, email: taken }))).toMatchObject({ id, email });
    expect(await userOf(await coming({ ...person, email: 'x@else.example' }))).toMatchObject({
      id,
      email,
    });
  });

  test('is for the server that the request names where the assertion names none', async () => {
    const person = { ...aPerson(), resource: undefined };

    expect(answered(await coming(person))).toEqual(REFUSED);
    const reply = await coming(person, { resource: resourceOf('wiki') });
    expect(reply.statusCode).toBe(200);
    const record = await service.ports.accessTokens.find(
      fingerprint(String(bodyOf(reply)['access_token'])),
    );
    expect(record?.deploymentId).toBe((await service.ports.deployments.find('wiki'))?.id);
  });

  test('is made for 50 people of one office, through one public client, within a minute', async () => {
    const places = Object.keys(DEFAULT_LIMITS).filter((name) => /_per_(?:ip|client)$/.test(name));
    const crowded = await anOAuthService({
      identityProviders: [
        { ...generous.config, create_accounts: true, assertions: { public_clients: true } },
      ],
      // A tenth of the default for what is signed. Whichever other limit counted these people would refuse the sixth.
      limits: {
        ...Object.fromEntries(places.map((name) => [name, 5])),
        client_assertions_per_minute_per_client: 60,
        client_assertions_per_minute_per_ip: 120,
      },
    });
    const open = await crowded.client();
    const { slug: there } = await crowded.deployment({ access: { mode: 'any_user' } });
    const from = anAddress();
    const statuses = await eachAtOnce(
      20,
      Array.from({ length: 50 }, (_, number) => number),
      async (number) => {
        const assertion = await generous.sign({
          ...claimsFor({ client_id: open.id, resource: resourceOf(there) }),
          sub: `U${number}`,
          email: `person-${number}@acme.example`,
          email_verified: true,
        });
        const sent = { grant_type: JWT_BEARER, assertion, client_id: open.id };
        return (await crowded.send(sentFrom(from, form('/token', sent)))).statusCode;
      },
    );
    await crowded.stop();

    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

describe('a deployment', () => {
  test.each<[string, object, string]>([
    ['lets nobody in but whom its owner lets in', {}, 'not in the access policy'],
    ['of another mode takes none', { authMethod: 'jwt' }, 'no deployment that takes logins'],
    ['that is paused takes none', { status: 'paused' }, 'no deployment that takes logins'],
  ])('%s', async (_, over, why) => {
    const closed = await service.deployment(over);
    const { claims } = await somebody();

    expect(answered(await showing({ ...claims, resource: resourceOf(closed.slug) }))).toEqual(
      REFUSED,
    );
    expect(lastReason()).toBe(`identity assertion: ${why}`);
  });

  test('that the operator has not named for the provider takes none of it', async () => {
    const email = `${randomUUID()}@lax.example`;
    await service.user({ email });
    const claims = { email, tenant: 't1', sub: randomUUID() };

    expect(answered(await show(await lax.sign(claimsFor(claims))))).toEqual(REFUSED);
    expect(lastReason()).toBe('identity assertion: for a deployment that its provider is not for');
  });
});

describe('the keys of a provider', () => {
  test('are refused like a wrong signature while they cannot be had', async () => {
    const down = await anIdentityProvider(() => NOON, 'https://idp.down.example');
    down.fail(true);
    const other = await anOAuthService({ identityProviders: [down.config] });
    const own = await other.client({
      authMethod: 'client_secret_post',
      secret: fingerprint(SECRET),
    });
    const { slug: there } = await other.deployment({ access: { mode: 'any_user' } });
    const assertion = await down.sign(
      claimsFor({ client_id: own.id, resource: resourceOf(there) }),
    );
    const sent = { grant_type: JWT_BEARER, assertion, client_id: own.id, client_secret: SECRET };

    expect(answered(await other.send(form('/token', sent)))).toEqual(REFUSED);
    await other.stop();
    await down[Symbol.asyncDispose]();
  });
});

describe('the metadata', () => {
  const INSERTED = '/.well-known/oauth-authorization-server/v1/mcp-oauth-server';
  const read = async (path: string) => bodyOf(await service.send(get(path)));

  test.each([INSERTED, '/.well-known/openid-configuration/v1/mcp-oauth-server'])(
    'tells of the grant at %s',
    async (path) => {
      expect(await read(path)).toMatchObject({
        grant_types_supported: ['authorization_code', 'refresh_token', JWT_BEARER],
        authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      });
    },
  );

  test('names no grant that a client cannot register for', async () => {
    const { grant_types_supported: grant_types } = await read(INSERTED);
    const sent = { redirect_uris: ['https://app.example.com/callback'], grant_types };
    const reply = await service.send(jsonPost('/register', sent));

    expect(reply.statusCode).toBe(201);
    expect(bodyOf(reply)['grant_types']).toEqual(grant_types);
  });

  test('keeps its lists where the path is appended', async () => {
    const document = await read(oauth('/.well-known/oauth-authorization-server'));

    expect(document['grant_types_supported']).toEqual(['authorization_code', 'refresh_token']);
    expect(document).not.toHaveProperty('authorization_grant_profiles_supported');
  });
});

describe('an assertion that another issuer signs than the one where people sign in', () => {
  test('is checked with the keys of its own issuer, and refused where nobody has said those', async () => {
    const now = () => NOON;
    await using login = await anIdentityProvider(now, 'https://login.split.example');
    await using org = await anIdentityProvider(now, 'https://org.split.example');
    const whose = { issuer: org.issuer, public_clients: true };
    const provider = {
      ...login.config,
      email_domains: ['split.example'],
      email_rule: 'trusted' as const,
      create_accounts: true,
    };
    const statusOf = async (signer: TestIdentityProvider, assertions: object) => {
      const split = await anOAuthService({
        identityProviders: [{ ...provider, assertions: { ...whose, ...assertions } }],
      });
      const open = await split.client();
      const { slug: there } = await split.deployment({ access: { mode: 'any_user' } });
      const assertion = await signer.sign({
        ...claimsFor({ client_id: open.id, resource: resourceOf(there) }),
        iss: org.issuer,
        email: 'ada@split.example',
      });
      const sent = { grant_type: JWT_BEARER, assertion, client_id: open.id };
      const reply = await split.send(form('/token', sent));
      await split.stop();
      return reply.statusCode;
    };
    const { jwks_uri: keys } = org.config;

    expect(await statusOf(org, { jwks_uri: keys })).toBe(200);
    expect(await statusOf(login, { jwks_uri: keys })).toBe(400);
    expect(await statusOf(org, {})).toBe(400);
    expect(await statusOf(login, {})).toBe(400);
  });
});
