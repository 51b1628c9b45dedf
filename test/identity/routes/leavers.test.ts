import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { wireRouter } from '../../../lambdas/router/wiring.ts';
import { dynamoSignOuts } from '../../../layers/accounts/store/sign-outs.ts';
import { readsDocs } from '../../../layers/mcp/steps/reads-docs.ts';
import { wireManagement } from '../../../lambdas/management/wiring.ts';
import { personalTokenText } from '../../../layers/accounts/rules/personal-token.ts';
import { GITHUB } from '../../../layers/accounts/rules/trust.ts';
import type { UserIdentity } from '../../../layers/accounts/rules/user.ts';
import {
  dynamoIdentityProviders,
  rememberedIdentityProviders,
} from '../../../layers/identity/store/providers.ts';
import type { IdentityProvider } from '../../../layers/identity/rules/providers.ts';
import { startSession } from '../../../layers/accounts/steps/sessions.ts';
import { openApiSession } from '../../../layers/accounts/steps/api-session.ts';
import { operatorCommands } from '../../../layers/oauth/routes/operator.ts';
import { companyStandings } from '../../../layers/identity/steps/company-standing.ts';
import { server as managementServer } from '../../../layers/management/routes/server.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { DAY, HOUR, MINUTE } from '../../../layers/platform/rules/time.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';
import { anOAuthService, BASE_URL, ISSUER, type TestOAuth } from '../../support/oauth/oauth.ts';
import { hashOf, PASSWORD } from '../../support/oauth/people.ts';
import {
  bodyOf,
  exchangeOf,
  form,
  jsonPost,
  oauth,
  opens,
  type Tokens,
} from '../../support/oauth/oauth-requests.ts';
import {
  aSignInProvider,
  CLIENT_SECRET,
  type Saying,
  type SignInProvider,
} from '../../support/oauth/sign-in-provider.ts';
import { aDeployment } from '../../support/aws/dynamodb-fixtures.ts';
import { get } from '../../support/mcp/router-events.ts';
import { answerOf, requestOf } from '../../support/service/management.ts';
import { type Answer, anHttpServer } from '../../support/target/target-server.ts';

const ORIGIN = new URL(BASE_URL).origin;

let service: TestOAuth;
let acme: SignInProvider;
let machines: Awaited<ReturnType<typeof anHttpServer>>;
let signing: CryptoKey;
let management: (event: HttpEvent) => ReturnType<TestOAuth['send']>;
let arranging: ReturnType<typeof wireManagement>;
let revision = 1;

const now = (): number => service.clock.time;

beforeAll(async () => {
  acme = await aSignInProvider(now);
  service = await anOAuthService({
    identityProviders: [acme.config],
    limits: { company_sign_ins_per_minute_per_ip: 100_000, logins_per_minute_per_ip: 100_000 },
  });
  await service.identity({
    operator: 'set-provider-secret',
    provider: 'acme',
    secret: CLIENT_SECRET,
  });
  const { store, clock } = service;
  const options = { targets: { loopback: { exceptPorts: store.aws.ports } } };
  const wired = wireManagement({ ...environmentOf(store, 'management'), BASE_URL }, options);
  const dynamo = store.instance();
  const identityProviders = rememberedIdentityProviders(dynamo, store.tableName('oauth'), clock);
  const { events, log } = service.ports;
  const standings = companyStandings({ ...wired, clock, events, identityProviders });
  management = managementServer({ ...wired, clock, log, events, standings });
  const administrator = { ...environmentOf(store, 'management'), ...store.aws.environment('test') };
  arranging = { ...wireManagement({ ...administrator, BASE_URL }), clock };

  const pair = await generateKeyPair('RS256', { extractable: true });
  signing = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
  machines = await anHttpServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ keys: [jwk] })),
  );
});
afterAll(async () => {
  await service.stop();
  await Promise.all([acme, machines].map((one) => one[Symbol.asyncDispose]()));
});
beforeEach(async () => {
  await apply([acme.config]);
});

/** Applies another list, which is believed as soon as what is remembered is old. */
const apply = async (providers: readonly IdentityProvider[]): Promise<void> => {
  const { store, clock } = service;
  const register = dynamoIdentityProviders(store.instance(), store.tableName('oauth'));
  revision += 1;
  await register.replace({ providers, revision });
  clock.time += 20;
};

/** The same provider with other terms. */
const withTerms = (terms: object): IdentityProvider => {
  const { sign_in: signIn } = acme.config;
  if (!signIn) throw new Error('no sign-in');
  return { ...acme.config, sign_in: { ...signIn, ...terms } };
};

const REPOSITORY = {
  repository_id: '4711',
  repository_owner_id: '815',
  environment: 'production',
};

let people = 0;

/** Somebody signs in at the page of their company. @returns their session's cookie */
const signIn = async (sub: string, saying: Saying = {}): Promise<string> => {
  const begun = await service.send(get(oauth('/sign-in/acme')));
  const location = begun.headers['location'] ?? '';
  const claims = { sub, email: `${sub}@acme.example`, email_verified: true };
  const code = acme.signIn(location, { claims, ...saying });
  const state = new URL(location).searchParams.get('state') ?? '';
  const cookies = (begun.cookies ?? []).map((one) => one.split(';')[0] ?? '');
  const rawQueryString = new URLSearchParams({ state, code }).toString();
  const event = { ...get(oauth('/sign-in/acme/callback')), rawQueryString, cookies };
  const reply = await service.send(event);
  const session = (reply.cookies ?? []).find((one) => one.startsWith('__Host-mcp-session=ey'));
  return session?.split(';')[0] ?? '';
};

/** A door of the service: whether it lets somebody in, and what it says if not. */
type Door = () => Promise<{ readonly status: number; readonly body: Record<string, unknown> }>;

const sent = async (reply: ReturnType<TestOAuth['send']>) => {
  const { statusCode: status, body, headers } = await reply;
  const json = (body.startsWith('{') ? JSON.parse(body) : {}) as Record<string, unknown>;
  return { status, body: json, retryAfter: headers['retry-after'] };
};

const call = async (method: string, path: string, token: string, body?: object) => {
  const asked = { headers: { authorization: `Bearer ${token}` }, ...(body && { body }) };
  const answer = answerOf(await management(requestOf(method, path, asked)));
  return { status: answer.status, body: answer.body as Record<string, unknown> };
};

/** An account with all that opens it, of somebody who has signed in with their company just now. */
const aColleague = async (saying: Saying = {}) => {
  const sub = `eve-${(people += 1)}`;
  const session = await signIn(sub, saying);
  const { users } = service.ports;
  const user = await users.findByEmail(`${sub}@acme.example`);
  if (!user) throw new Error('not signed in');
  // She has chosen a password by mail.
  await users.replace({ ...user, passwordHash: hashOf(PASSWORD), revision: user.revision + 1 });
  const code = await service.code(
    { expiresAt: now() + 600 },
    { userId: user.id, createdAt: now() },
  );
  const bought = await service.send(form('/token', exchangeOf(code)));
  let tokens = bodyOf(bought) as unknown as Tokens & { readonly expires_in: number };

  const secret = randomUUID().replaceAll('-', '').padEnd(43, 'x');
  const made = { userId: user.id, createdAt: now(), expiresAt: now() + 90 * DAY };
  await arranging.personalTokens.put(fingerprint(secret), { ...made, name: 'CI', scope: 'read' });
  const trust = randomUUID();
  await arranging.trusts.put(trust, {
    userId: user.id,
    name: 'CI',
    issuer: GITHUB,
    jwksUri: `${machines.url}/keys`,
    claims: REPOSITORY,
    scope: 'read',
    createdAt: now(),
  });

  const password = { email: user.email, password: PASSWORD };
  const doors = {
    refresh: async () => {
      const { clientId: client_id } = code.grant;
      const { refresh_token } = tokens;
      const asked = { grant_type: 'refresh_token', client_id, refresh_token };
      const answer = await sent(service.send(form('/token', asked)));
      if (answer.status === 200) tokens = answer.body as unknown as typeof tokens;
      return answer;
    },
    code: async () => {
      const over = { userId: user.id, createdAt: now() };
      const another = await service.code({ expiresAt: now() + 600 }, over);
      return sent(service.send(form('/token', exchangeOf(another))));
    },
    personalToken: () => call('GET', '/deployments', personalTokenText(secret)),
    machine: async () => {
      const claims = {
        iss: GITHUB,
        aud: BASE_URL,
        sub: 'repo:acme/orders',
        event_name: 'push',
        repository: 'acme/orders',
        jti: randomUUID(),
        iat: now(),
        exp: now() + 600,
        ...REPOSITORY,
      };
      const header = { alg: 'RS256', kid: 'key-1' };
      const token = await new SignJWT(claims).setProtectedHeader(header).sign(signing);
      return sent(service.send(api('/sessions/machine', { trust, token })));
    },
    apiSession: () => sent(service.send(api('/sessions', password))),
    form: () => sent(service.send(form('/sign-in', { ...password }, { origin: ORIGIN }))),
  } satisfies Record<string, Door>;
  return {
    sub,
    user,
    session,
    doors,
    grant: code.grant,
    tokens: () => tokens,
    stored: async (): Promise<UserIdentity> => {
      const [identity] = (await users.find(user.id))?.identities ?? [];
      if (!identity) throw new Error('no identity');
      return identity;
    },
  };
};

const api = (path: string, body: object): HttpEvent => {
  const event = jsonPost('', body);
  return { ...event, rawPath: `/v1/mcp-management${path}` };
};

const says =
  (status: number, body: object = {}): Answer =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body));

const disabled = { answer: says(400, { error: 'invalid_grant' }) };

const DOORS = ['refresh', 'code', 'personalToken', 'machine', 'apiSession', 'form'] as const;
const REFUSED = {
  refresh: [400, 'invalid_grant'],
  code: [400, 'invalid_grant'],
  personalToken: [401, 'invalid_session'],
  machine: [401, 'machine_refused'],
  apiSession: [401, 'invalid_credentials'],
  form: [400, undefined],
} as const;

const open = (door: (typeof DOORS)[number]) => (door === 'form' ? 303 : 200);

describe('somebody who has left their company', () => {
  test.each(DOORS)('is let in nowhere within the hour: %s', async (door) => {
    const eve = await aColleague();
    expect((await eve.doors[door]()).status).toBe(open(door));
    acme.refreshing.set(eve.sub, disabled);
    service.clock.time += HOUR;
    const { status, body } = await eve.doors[door]();
    expect([status, body['error'] ?? body['code']]).toEqual(REFUSED[door]);
    // What one door has heard every door knows, and nobody is asked again.
    const asked = acme.refreshes();
    for (const other of DOORS) expect((await eve.doors[other]()).status).not.toBe(open(other));
    expect(acme.refreshes()).toBe(asked);
    expect(await eve.stored()).toMatchObject({ endedAt: now() });
  });

  test('has an access token for no longer than until the next check is due', async () => {
    const eve = await aColleague();
    expect(eve.tokens()).toMatchObject({ expires_in: HOUR });
    service.clock.time += 20 * MINUTE;
    const { body } = await eve.doors.refresh();
    expect(body).toMatchObject({ expires_in: 40 * MINUTE });
    service.clock.time += 20 * MINUTE;
    // A check is due after half an hour, and then it is good for an hour again.
    expect((await eve.doors.refresh()).body).toMatchObject({ expires_in: HOUR });
    expect(await opens(service, eve.tokens().access_token)).toBe(true);
  });

  test('loses the sessions of browsers, which are not back with them', async () => {
    const eve = await aColleague();
    const isIn = async (): Promise<boolean> => {
      const headers = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
      const event = { ...jsonPost('/console/token', {}, headers), cookies: [eve.session] };
      return (await service.send(event)).statusCode === 200;
    };
    acme.refreshing.set(eve.sub, disabled);
    service.clock.time += 40 * MINUTE;
    expect(await isIn()).toBe(true);
    await eve.doors.refresh();
    expect(await isIn()).toBe(false);
    await signIn(eve.sub);
    expect(await isIn()).toBe(false);
  });

  test.each(['refresh', 'personalToken'] as const)(
    'reads no page of a server from then on, which the router shows: %s',
    async (door) => {
      const eve = await aColleague();
      const { store, clock } = service;
      const wired = wireRouter({ ...environmentOf(store, 'router'), BASE_URL });
      const dynamo = [store.instance(), store.tableName('oauth'), clock] as const;
      const ports = { ...wired, clock, signOuts: dynamoSignOuts(...dynamo) };
      const reads = () =>
        readsDocs(
          ports,
          aDeployment({ authMethod: 'oauth', access: { mode: 'any_user' }, docs: 'protected' }),
          eve.session.slice(eve.session.indexOf('=') + 1),
        );
      service.clock.time += 40 * MINUTE;
      expect(await reads()).toBe(true);
      acme.refreshing.set(eve.sub, disabled);
      await eve.doors[door]();
      expect(await reads()).toBe(false);
      // Grants of clients are judged apart from that.
      expect(await ports.signOuts.find(eve.user.id)).toBe(0);
    },
  );

  test('is not back as another subject, where the claim of subjects is changed meanwhile', async () => {
    const eve = await aColleague();
    acme.refreshing.set(eve.sub, disabled);
    service.clock.time += HOUR;
    expect((await eve.doors.personalToken()).status).toBe(401);
    await apply([{ ...acme.config, subject_claim: 'oid' }]);
    const claims = { sub: eve.sub, oid: 'o-1', email: eve.user.email, email_verified: true };

    expect(await signIn(eve.sub, { claims })).toBe('');
    for (const door of DOORS)
      expect([door, (await eve.doors[door]()).status]).not.toEqual([door, open(door)]);
    expect(await eve.stored()).toHaveProperty('endedAt');
  });

  test('is back, with all that programs hold, once the company vouches again', async () => {
    const eve = await aColleague();
    acme.refreshing.set(eve.sub, disabled);
    service.clock.time += HOUR;
    expect((await eve.doors.personalToken()).status).toBe(401);
    acme.refreshing.delete(eve.sub);
    await signIn(eve.sub);
    expect(await eve.stored()).not.toHaveProperty('endedAt');
    for (const door of DOORS) expect((await eve.doors[door]()).status).toBe(open(door));
    const events = service.lines.filter(({ subject }) => subject === eve.user.id);
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['person_refused', 'person_back']),
    );
  });

  test.each(DOORS)('is as somebody whose provider is believed no more: %s', async (door) => {
    const eve = await aColleague();
    await apply([]);
    const { status, body } = await eve.doors[door]();
    expect([status, body['error'] ?? body['code']]).toEqual(REFUSED[door]);
  });
});

describe('an assertion', () => {
  /** A client that may show assertions shows one of a provider. */
  const shown = async (
    { grant, sub }: Awaited<ReturnType<typeof aColleague>>,
    provider: SignInProvider,
    over: object = {},
  ) => {
    const assertion = await provider.assertion({
      ...over,
      aud: ISSUER,
      sub,
      email: `${sub}@acme.example`,
      email_verified: true,
      client_id: grant.clientId,
      resource: `${BASE_URL}/mcp-router/${grant.slug}`,
      scope: 'mcp.tools.read',
    });
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const asked = { grant_type, client_id: grant.clientId, assertion };
    return sent(service.send(form('/token', asked)));
  };
  const taken = { assertions: { public_clients: true } };

  test('of their company is as good as a check, and lets somebody in again', async () => {
    await apply([{ ...acme.config, ...taken }]);
    const eve = await aColleague();
    acme.refreshing.set(eve.sub, disabled);
    service.clock.time += HOUR;
    expect((await eve.doors.refresh()).status).toBe(400);
    expect((await shown(eve, acme)).status).toBe(200);
    expect(await eve.stored()).toMatchObject({ checkedAt: now() });
    expect((await eve.doors.refresh()).status).toBe(200);
  });

  test('from before the company has ended somebody takes nothing of that back', async () => {
    await apply([{ ...acme.config, ...taken }]);
    const eve = await aColleague();
    const before = { jti: randomUUID(), iat: now() + HOUR - 60, exp: now() + HOUR + 240 };
    acme.refreshing.set(eve.sub, disabled);
    service.clock.time += HOUR;
    expect((await eve.doors.refresh()).status).toBe(400);
    for (const _ of ['first', 'again']) {
      expect((await shown(eve, acme, before)).body).toMatchObject({ error: 'invalid_grant' });
      expect(await eve.stored()).toHaveProperty('endedAt');
      expect((await eve.doors.refresh()).status).toBe(400);
    }
  });

  test('of another claim of subjects lets in nobody whom the same company has ended', async () => {
    await apply([{ ...acme.config, ...taken }]);
    const eve = await aColleague();
    acme.refreshing.set(eve.sub, disabled);
    service.clock.time += HOUR;
    expect((await eve.doors.refresh()).status).toBe(400);
    await apply([{ ...acme.config, ...taken, subject_claim: 'oid' }]);
    expect((await shown(eve, acme, { oid: 'o-2' })).body).toMatchObject({ error: 'invalid_grant' });
    expect((await eve.doors.refresh()).status).toBe(400);
  });

  test('of another company lets in nobody whom theirs has ended', async () => {
    await using other = await aSignInProvider(now, { id: 'other', ...taken });
    const { sign_in: _, ...config } = other.config;
    await apply([acme.config, config]);
    const eve = await aColleague();
    expect((await shown(eve, other)).status).toBe(200);
    acme.refreshing.set(eve.sub, disabled);
    service.clock.time += HOUR;
    expect((await shown(eve, other)).body).toMatchObject({ error: 'invalid_grant' });
    expect((await eve.doors.refresh()).status).toBe(400);
    expect((await shown(eve, other)).body).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('an account whose company operators forget', () => {
  test('keeps nothing of whom nobody could be asked about any more', async () => {
    const eve = await aColleague();
    const forgotten = await operatorCommands(service.ports)({
      operator: 'forget-identities',
      email: eve.user.email,
    });
    expect(forgotten).toMatchObject({ ok: true });
    service.clock.time += 20;
    expect((await eve.doors.refresh()).body).toMatchObject({ error: 'invalid_grant' });
    expect((await eve.doors.personalToken()).status).toBe(401);
  });
});

describe('a sign-in by password', () => {
  test('begins no session that outlives an ending of while the password was looked at', async () => {
    const eve = await aColleague();
    const { passwords, users } = service.ports;
    const verify: typeof passwords.verify = async (...given) => {
      const isRight = await passwords.verify(...given);
      const user = await users.find(eve.user.id);
      if (!user) throw new Error('removed');
      await users.replace({ ...user, sessionsEndedAt: now() + 1, revision: user.revision + 1 });
      service.clock.time += 5;
      return isRight;
    };
    const { accessToken } = await openApiSession(
      { ...service.ports, passwords: { ...passwords, verify } },
      { email: eve.user.email, password: PASSWORD, sourceIp: '192.0.2.1' },
    );
    expect((await call('GET', '/deployments', accessToken)).status).toBe(401);
  });
});

describe('minting a token', () => {
  test('takes a company that stands by its owner, since the token outlives the session', async () => {
    const eve = await aColleague();
    const { ports } = service;
    const { token } = await startSession(ports, eve.user, 'api');
    await arranging.deploymentEditor.create(
      aDeployment({
        id: randomUUID(),
        slug: `own-${eve.sub}`,
        ownerId: eve.user.id,
        authMethod: 'oauth',
      }),
    );
    const mint = () => call('POST', `/deployments/own-${eve.sub}/tokens`, token, {});
    expect((await mint()).status).toBe(201);
    acme.refreshing.set(eve.sub, disabled);
    service.clock.time += 40 * MINUTE;
    expect((await mint()).body).toMatchObject({ code: 'invalid_session' });
  });
});

describe('a check', () => {
  test('is not made before half of its time, costs one request then, and keeps the next token', async () => {
    const ada = await aColleague();
    const asked = acme.refreshes();
    service.clock.time += 30 * MINUTE - 1;
    expect((await ada.doors.personalToken()).status).toBe(200);
    expect(acme.refreshes()).toBe(asked);
    for (let hour = 1; hour <= 3; hour += 1) {
      service.clock.time += 40 * MINUTE;
      expect((await ada.doors.personalToken()).status).toBe(200);
      expect((await ada.doors.refresh()).status).toBe(200);
      expect(acme.refreshes()).toBe(asked + hour);
    }
  });

  test('is made once, however many ask', async () => {
    const ada = await aColleague();
    const asked = acme.refreshes();
    service.clock.time += HOUR;
    const answers = await Promise.all(Array.from({ length: 8 }, () => ada.doors.personalToken()));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(acme.refreshes()).toBe(asked + 1);
  });

  test.each([
    [
      'nothing of who it is, and userinfo of the same',
      { withoutIdToken: true, userInfo: { sub: 'SUB' } },
      200,
    ],
    ['the same refresh token again', { withoutRotation: true }, 200],
    [
      'nothing of who it is, and userinfo of another',
      { withoutIdToken: true, userInfo: { sub: 'x' } },
      401,
    ],
    ['another person', { claims: { sub: 'somebody' } }, 401],
    [
      'that it wants them at its page',
      { answer: says(400, { error: 'interaction_required' }) },
      401,
    ],
    [
      'the same as Entra does',
      { answer: says(400, { error: 'x', suberror: 'consent_required' }) },
      401,
    ],
    ['that they are nobody', { answer: says(400, { error: 'invalid_grant' }) }, 401],
    ['that our client is none', { answer: says(401, { error: 'invalid_client' }) }, 200],
    ['that our client may not', { answer: says(400, { error: 'unauthorized_client' }) }, 200],
    ['another error', { answer: says(400, { error: 'whatever' }) }, 200],
    ['a token of a stranger', { signed: 'other' }, 200],
    ['too many requests', { answer: says(429) }, 200],
    ['trouble', { answer: says(503, { error: 'invalid_grant' }) }, 200],
  ] as const)('hears %s', async (_, said, status) => {
    const ada = await aColleague();
    const spoken = JSON.parse(JSON.stringify(said).replace('"SUB"', JSON.stringify(ada.sub)));
    acme.refreshing.set(ada.sub, { ...said, ...spoken });
    service.clock.time += HOUR;
    expect((await ada.doors.personalToken()).status).toBe(status);
    expect('endedAt' in (await ada.stored())).toBe(status === 401);
  });

  test('leaves nothing of the tokens in a log or a table', async () => {
    expect(JSON.stringify(service.lines)).not.toContain('CANARY');
    const { store } = service;
    for (const name of ['users', 'oauth', 'connections'] as const) {
      const scan = new ScanCommand({ TableName: store.tableName(name) });
      const { Items } = await store.instance().send(scan);
      expect(JSON.stringify(Items)).not.toContain('CANARY');
    }
  });
});

describe('a provider that does not answer', () => {
  test('refuses nobody for four hours after a check was due, and then says when to come again', async () => {
    const ada = await aColleague();
    acme.refreshing.set(ada.sub, { answer: says(500) });
    service.clock.time += 5 * HOUR - MINUTE;
    const { status, body } = await ada.doors.refresh();
    expect([status, body['expires_in']]).toEqual([200, HOUR]);
    expect((await ada.doors.personalToken()).status).toBe(200);
    service.clock.time += 2 * MINUTE;
    for (const door of ['refresh', 'personalToken', 'machine'] as const) {
      const refused = await ada.doors[door]();
      expect([door, refused.status]).toEqual([door, 503]);
      expect(refused.body['error'] ?? refused.body['code']).toBe('temporarily_unavailable');
    }
    // Nothing shows whether a password is right, not even how often it may be tried.
    const { email } = ada.user;
    const answers = [];
    for (let count = 0; count < 7; count += 1) {
      for (const password of [PASSWORD, 'wrong']) {
        const whose = count < 6 ? email : 'nobody@acme.example';
        answers.push(await sent(service.send(api('/sessions', { email: whose, password }))));
      }
    }
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
      new Set([JSON.stringify([401, answers.at(-1)?.body])]),
    );
    // The grant stays.
    acme.refreshing.delete(ada.sub);
    service.clock.time += MINUTE;
    expect((await ada.doors.refresh()).status).toBe(200);
  });

  test('locks nobody out whose password is right', async () => {
    const ada = await aColleague();
    const { email } = ada.user;
    const byPassword = () => sent(service.send(api('/sessions', { email, password: PASSWORD })));
    acme.refreshing.set(ada.sub, { answer: says(500) });
    service.clock.time += 6 * HOUR;
    for (let count = 0; count < 7; count += 1) expect((await byPassword()).status).toBe(401);
    acme.refreshing.delete(ada.sub);
    service.clock.time += MINUTE;
    expect((await byPassword()).status).toBe(200);
  });
});

describe('people who use nothing', () => {
  /** Each hour of a day, as the schedule has it. */
  const anHourOf = async (): Promise<number> => {
    service.clock.time += HOUR;
    const done = await operatorCommands(service.ports)({ operator: 'check-people' });
    return (done as { readonly asked: number }).asked;
  };
  const aDayOf = async (): Promise<number> => {
    let sum = 0;
    for (let hour = 0; hour < 24; hour += 1) sum += await anHourOf();
    return sum;
  };
  const eventsOf = ({ user }: Awaited<ReturnType<typeof aColleague>>) =>
    service.lines.flatMap(({ subject, event }) => (subject === user.id ? [event] : []));

  test('are asked about once a day, and have left once they are refused twice', async () => {
    const [ada, eve] = [await aColleague(), await aColleague()];
    await aDayOf();
    acme.refreshing.set(eve.sub, disabled);
    await aDayOf();
    expect(eventsOf(eve)).toContain('person_refused');
    expect(eventsOf(eve)).not.toContain('person_ended');
    await aDayOf();
    await aDayOf();
    expect(eventsOf(eve).filter((event) => event === 'person_ended')).toHaveLength(1);
    const asked = acme.refreshes();
    await aDayOf();
    // Of those who have left nobody is asked again.
    expect(await eve.stored()).toHaveProperty('leftAt');
    expect(acme.refreshes() - asked).toBeGreaterThan(0);
    expect(await ada.stored()).not.toHaveProperty('endedAt');
    expect(now() - ((await ada.stored()).checkedAt ?? 0)).toBeLessThanOrEqual(2 * DAY);
  });

  test('have not left because nobody can ask about them any more', async () => {
    const eve = await aColleague();
    acme.refreshing.set(eve.sub, disabled);
    while (!eventsOf(eve).includes('person_refused')) await anHourOf();
    await apply([withTerms({ client_id: 'another client' })]);
    await aDayOf();
    await aDayOf();
    expect(eventsOf(eve)).not.toContain('person_ended');
    expect(await eve.stored()).not.toHaveProperty('leftAt');
  });

  test('are asked about each day, although the schedule is not exact to the second', async () => {
    const people = [await aColleague(), await aColleague(), await aColleague()];
    await aDayOf();
    for (const late of [-30, 30, -45]) {
      service.clock.time += late;
      await aDayOf();
      for (const { stored } of people) {
        expect(now() - ((await stored()).checkedAt ?? 0)).toBeLessThan(DAY);
      }
    }
  });

  test('are back where the company has changed its mind', async () => {
    const eve = await aColleague();
    acme.refreshing.set(eve.sub, { answer: says(400, { error: 'interaction_required' }) });
    // A second time would be for good.
    while (!eventsOf(eve).includes('person_refused')) await anHourOf();
    acme.refreshing.delete(eve.sub);
    await aDayOf();
    await aDayOf();
    expect(await eve.stored()).not.toHaveProperty('endedAt');
    expect(eventsOf(eve)).toEqual(expect.arrayContaining(['person_refused', 'person_back']));
  });
});

describe('how long ago somebody was at the page of their company', () => {
  test('ends grants after a week, and nothing that checks tell of', async () => {
    const ada = await aColleague();
    service.clock.time += 7 * DAY;
    expect((await ada.doors.refresh()).body).toMatchObject({ error: 'invalid_grant' });
    expect((await ada.doors.personalToken()).status).toBe(200);
    await signIn(ada.sub);
    expect((await ada.doors.refresh()).status).toBe(200);
  });

  test.each([
    ['is a broker', { broker: true }, {}],
    ['gives no refresh token', {}, { withoutRefresh: true }],
  ] as const)(
    'ends all but machines after twelve hours where a provider %s',
    async (_, terms, saying) => {
      await apply([withTerms(terms)]);
      const ada = await aColleague(saying);
      const asked = acme.refreshes();
      service.clock.time += 12 * HOUR - 10 * MINUTE;
      const { body } = await ada.doors.refresh();
      expect(body).toMatchObject({ expires_in: 10 * MINUTE });
      expect((await ada.doors.personalToken()).status).toBe(200);
      service.clock.time += 10 * MINUTE;
      expect((await ada.doors.refresh()).status).toBe(400);
      expect((await ada.doors.personalToken()).body['detail']).toContain('Sign in with Acme again');
      expect((await ada.doors.apiSession()).status).toBe(401);
      expect((await ada.doors.machine()).status).toBe(200);
      expect(acme.refreshes()).toBe(asked);
    },
  );
});
