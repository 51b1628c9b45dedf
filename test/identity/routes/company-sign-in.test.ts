import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { challengeOf } from '../../../layers/accounts/rules/command-line.ts';
import { makeCommandLineCode, signInByCode } from '../../../layers/accounts/steps/command-line.ts';
import { expectSession } from '../../../layers/accounts/steps/sessions.ts';
import type { HttpReply } from '../../../layers/platform/http/reply.ts';
import { dynamoIdentityProviders } from '../../../layers/identity/store/providers.ts';
import { operatorCommands } from '../../../layers/oauth/routes/operator.ts';
import { subjectOf } from '../../../layers/identity/rules/linking.ts';
import type { IdentityProvider } from '../../../layers/identity/rules/providers.ts';
import { knownUser } from '../../../layers/identity/steps/known-user.ts';
import type { Answer } from '../../support/target/target-server.ts';
import { get } from '../../support/mcp/router-events.ts';
import { anOAuthService, BASE_URL, NOON, type TestOAuth } from '../../support/oauth/oauth.ts';
import { form, jsonPost, oauth, sentFrom } from '../../support/oauth/oauth-requests.ts';
import { hashOf, mailsOf, PASSWORD } from '../../support/oauth/people.ts';
import {
  aSignInProvider,
  CLIENT_ID,
  CLIENT_SECRET,
  type Saying,
  type SignInProvider,
} from '../../support/oauth/sign-in-provider.ts';

const ORIGIN = new URL(BASE_URL).origin;
const CONSOLE = '/v1/console/servers';

let service: TestOAuth;
let acme: SignInProvider;
/** Says who it is in every answer. */
let other: SignInProvider;
let revision = 1;

beforeAll(async () => {
  acme = await aSignInProvider(() => service?.clock.time ?? NOON);
  other = await aSignInProvider(() => NOON, {
    id: 'other',
    name: 'Other',
    email_domains: ['other.example'],
  });
  service = await anOAuthService({
    identityProviders: [acme.config, announcing(other.config)],
    limits: { company_sign_ins_per_minute_per_ip: 100_000, logins_per_minute_per_ip: 100_000 },
  });
  for (const provider of ['acme', 'other']) await setSecret(provider, CLIENT_SECRET);
});
afterAll(async () => {
  await service.stop();
  await Promise.all([acme, other].map((one) => one[Symbol.asyncDispose]()));
});

const announcing = (config: IdentityProvider): IdentityProvider => ({
  ...config,
  ...(config.endpoints && {
    endpoints: { ...config.endpoints, authorization_response_iss_parameter_supported: true },
  }),
});

const setSecret = (provider: string, secret: string) =>
  service.identity({ operator: 'set-provider-secret', provider, secret });

/** Applies another list, which is believed as soon as what is remembered is old. */
const apply = async (providers: readonly IdentityProvider[]): Promise<void> => {
  const register = dynamoIdentityProviders(
    service.store.instance(),
    service.store.tableName('oauth'),
  );
  revision += 1;
  await register.replace({ providers, revision });
  service.clock.time += 20;
};

const cookiesOf = ({ cookies = [] }: HttpReply): readonly string[] =>
  cookies.map((one) => one.split(';')[0] ?? '');
const locationOf = ({ headers }: HttpReply): string => headers['location'] ?? '';

/** The login page's form for the console, with an address and no password. */
const typed = (email: string, fields: object = {}) =>
  service.send(form('/sign-in', { email, return_to: CONSOLE, ...fields }, { origin: ORIGIN }));

interface Begun {
  readonly location: string;
  readonly state: string;
  readonly cookies: readonly string[];
}

const begin = async (email = 'ada@acme.example'): Promise<Begun> => begunBy(await typed(email));

const begunBy = (reply: HttpReply): Begun => {
  expect(reply.statusCode).toBe(303);
  const location = locationOf(reply);
  return {
    location,
    state: new URL(location).searchParams.get('state') ?? '',
    cookies: cookiesOf(reply),
  };
};

const back = (
  { state, cookies }: Pick<Begun, 'cookies' | 'state'>,
  sent: Readonly<Record<string, string>>,
  provider = 'acme',
): Promise<HttpReply> => {
  const query = new URLSearchParams({ state, ...sent }).toString();
  const event = get(oauth(`/sign-in/${provider}/callback`));
  return service.send({ ...event, rawQueryString: query, cookies: [...cookies] });
};

/** Somebody is sent to the provider, signs in there and comes back. */
const signedIn = async (saying: Saying, email?: string): Promise<HttpReply> => {
  const begun = await begin(email);
  return back(begun, { code: acme.signIn(begun.location, saying) });
};

/** Somebody has come by an assertion of this provider before. */
const asserted = (sub: string, email: string) =>
  knownUser(service.ports, {
    provider: acme.config,
    subject: subjectOf({ issuer: acme.config.issuer, tenant: undefined, claim: 'sub' }, sub),
    vouched: { email },
  });

const of = (sub: string, email: string, claims: object = {}): Saying => ({
  claims: { sub, email, email_verified: true, ...claims },
});

let people = 0;
/** An address that nobody has had. */
const anAddressAtAcme = (): string => `p${(people += 1)}@acme.example`;

const sessionIn = (reply: HttpReply): string =>
  cookiesOf(reply).find((one) => one.startsWith('__Host-mcp-session=ey')) ?? '';

/** Whose session a browser has. */
const whoIs = async (session: string) => {
  const headers = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };
  const reply = await service.send({
    ...jsonPost('/console/token', {}, headers),
    cookies: [session],
  });
  return reply.statusCode === 200
    ? (JSON.parse(reply.body) as { account: { email: string }; access_token: string })
    : undefined;
};

/** Without the reference, which is another each time. */
const whyLast = (): string =>
  String(
    service.lines.findLast(({ event }) => event === 'company_sign_in_refused')?.['why'],
  ).replace(/ \(reference [\da-f]{8}\)$/, '');

describe('somebody who was invited to a server', () => {
  const invited = async (server: string): Promise<string> => {
    const event = { ...get(oauth('/sign-in/acme')), rawQueryString: `server=${server}` };
    const reply = await service.send(event);
    const state = new URL(locationOf(reply)).searchParams.get('state') ?? '';
    const code = acme.signIn(locationOf(reply), {
      claims: { sub: 'invited', email: 'invited@acme.example', email_verified: true },
    });
    return locationOf(await back({ state, cookies: cookiesOf(reply) }, { code }));
  };

  test('signs in with their company, and goes on to it', async () => {
    expect(await invited('orders')).toBe('/v1/mcp-router/orders/docs');
  });

  test.each(['//evil.example', '..', 'a b', ''])(
    'goes on to the console from %j',
    async (server) => {
      expect(await invited(encodeURIComponent(server))).toBe(CONSOLE);
    },
  );
});

describe('the login page', () => {
  test('asks for the address alone where some people sign in with their company', async () => {
    const page = await service.send(get(oauth('/sign-in')));
    expect(page.body).toContain('Continue');
    expect(page.body).not.toContain('name="password"');
    const event = { ...get(oauth('/sign-in')), rawQueryString: 'local=1' };
    expect((await service.send(event)).body).toContain('name="password"');
  });

  const page = async (query = '', cookies: readonly string[] = []) =>
    service.send({ ...get(oauth('/sign-in')), rawQueryString: query, cookies: [...cookies] });

  test('offers the company that somebody has signed in with in this browser', async () => {
    const reply = await signedIn({
      claims: { sub: 'c-1', email: 'c-1@acme.example', email_verified: true },
    });
    const kept = reply.cookies?.find((one) => one.startsWith('__Host-mcp-company='));
    expect(kept).toMatch(
      /^__Host-mcp-company=acme; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const wanted = encodeURIComponent('/v1/console/account');
    const known = ['__Host-mcp-company=acme'];

    const { body } = await page(`return_to=${wanted}`, known);
    expect(body).toContain('Continue with <bdi>Acme</bdi>');
    expect(body).toContain(`/sign-in/acme?return_to&#x3D;${wanted}"`);
    expect((await page('another=1', known)).body).toContain('&amp;another&#x3D;1"');
    expect((await page('local=1', known)).body).toContain('Continue with <bdi>Acme</bdi>');
    for (const cookies of [[], ['__Host-mcp-company=gone'], ['__Host-mcp-company=%22%3E']]) {
      expect((await page('', cookies)).body).not.toContain('Continue with');
    }
  });

  test('is left out where there is one company and no password, but for who has just left, and for emergencies', async () => {
    const register = dynamoIdentityProviders(
      service.store.instance(),
      service.store.tableName('oauth'),
    );
    const having = async (passwords: 'off' | 'on', providers: readonly IdentityProvider[]) => {
      revision += 1;
      await register.replace({ passwords, providers, revision });
      service.clock.time += 20;
    };
    await having('off', [acme.config]);
    const straight = await page(`return_to=${encodeURIComponent('/v1/console/account')}`);
    expect([straight.statusCode, locationOf(straight)]).toEqual([
      303,
      '/v1/mcp-oauth-server/sign-in/acme?return_to=%2Fv1%2Fconsole%2Faccount',
    ]);
    expect((await page('local=1')).body).toContain('name="password"');
    expect((await page('another=1')).body).toContain('Continue with <bdi>Acme</bdi>');
    await having('off', [acme.config, announcing(other.config)]);
    expect((await page()).statusCode).toBe(200);
    await having('on', [acme.config]);
    expect((await page()).statusCode).toBe(200);
    await having('on', [acme.config, announcing(other.config)]);
  });

  test('sends an address of a company there, with all that the answer is held to', async () => {
    const { location, cookies } = await begin('Ada@ACME.example');
    const url = new URL(location);
    expect(`${url.origin}${url.pathname}`).toBe(`${acme.url}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: CLIENT_ID,
      redirect_uri: `${BASE_URL}/mcp-oauth-server/sign-in/acme/callback`,
      scope: 'openid email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      login_hint: 'ada@acme.example',
      max_age: '600',
    });
    expect(cookies).toEqual([expect.stringMatching(/^__Host-mcp-signin-[0-9a-f]{16}=/)]);
  });

  test('tells nobody whether there is an account', async () => {
    await service.user({ email: 'known@elsewhere.example', passwordHash: hashOf(PASSWORD) });
    await service.user({ email: 'known@acme.example', passwordHash: hashOf(PASSWORD) });
    const [known, unknown] = await Promise.all(
      ['known', 'nobody'].map((name) => typed(`${name}@elsewhere.example`)),
    );
    expect(known?.statusCode).toBe(200);
    expect(known?.body.replaceAll('known@', 'nobody@')).toBe(unknown?.body);
    expect(known?.body).toContain('name="password"');
    const sent = await Promise.all(['known', 'nobody'].map((one) => typed(`${one}@acme.example`)));
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
  });

  test('takes no address that only ends like one of the company, and no form of another site', async () => {
    expect((await typed('ada@notacme.example')).statusCode).toBe(200);
    expect((await typed('ada@acme.example@elsewhere.example')).statusCode).toBe(200);
    const foreign = form(
      '/sign-in',
      { email: 'a@acme.example' },
      { origin: 'https://evil.example' },
    );
    expect((await service.send(foreign)).statusCode).toBe(403);
  });

  test('still takes passwords', async () => {
    const email = anAddressAtAcme();
    await service.user({ email, passwordHash: hashOf(PASSWORD) });
    const reply = await typed(email, { password: PASSWORD });
    expect(reply.statusCode).toBe(303);
    expect(locationOf(reply)).toBe(CONSOLE);
  });

  test('has an address for each provider, and none for others', async () => {
    expect((await service.send(get(oauth('/sign-in/acme')))).statusCode).toBe(303);
    expect((await service.send(get(oauth('/sign-in/nobody')))).statusCode).toBe(404);
  });

  test('sends so many browsers of an address to providers, and no more', async () => {
    const strict = await anOAuthService({
      identityProviders: [acme.config],
      limits: { company_sign_ins_per_minute_per_ip: 1 },
    });
    const visit = () => strict.send(sentFrom('192.0.2.7', get(oauth('/sign-in/acme'))));
    expect((await visit()).statusCode).toBe(303);
    expect((await visit()).statusCode).toBe(429);
    await strict.stop();
  });
});

describe('somebody who comes back from their company', () => {
  test('is signed in, with an account made at first sight, and goes on', async () => {
    const email = anAddressAtAcme();
    const reply = await signedIn(of('made', email));
    expect(reply.statusCode).toBe(303);
    expect(locationOf(reply)).toBe(CONSOLE);
    expect(await whoIs(sessionIn(reply))).toMatchObject({ account: { email } });
    expect(reply.cookies).toContainEqual(expect.stringMatching(/^__Host-mcp-signin-.*Max-Age=0/));
  });

  test('has the code redeemed with our secret and the verifier, at the token endpoint alone', async () => {
    await signedIn(of('redeemed', anAddressAtAcme()));
    const { body, auth } = acme.asked().at(-1) ?? { body: new URLSearchParams(), auth: '' };
    expect(Buffer.from(auth.slice(6), 'base64').toString()).toBe(
      `${encodeURIComponent(CLIENT_ID)}:${CLIENT_SECRET}`,
    );
    expect(Object.fromEntries(body)).toEqual({
      grant_type: 'authorization_code',
      code: expect.any(String),
      redirect_uri: `${BASE_URL}/mcp-oauth-server/sign-in/acme/callback`,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  test('is the same person the next time, whatever the address', async () => {
    const email = anAddressAtAcme();
    await signedIn(of('again', email));
    const reply = await signedIn({ claims: { sub: 'again', email: 'new@elsewhere.example' } });
    expect(await whoIs(sessionIn(reply))).toMatchObject({ account: { email } });
  });

  test('goes on with the request of an application', async () => {
    const ticket = createHash('sha256').update('ticket').digest('base64url');
    const event = { ...get(oauth('/sign-in/acme')), rawQueryString: `ticket=${ticket}` };
    const begun = await service.send(event);
    const location = locationOf(begun);
    // Whoever is on the way to an application may be signed in silently.
    expect(new URL(location).searchParams.get('max_age')).toBeNull();
    const state = new URL(location).searchParams.get('state') ?? '';
    const code = acme.signIn(location, of('ticket', anAddressAtAcme()));
    const reply = await back({ state, cookies: cookiesOf(begun) }, { code });
    expect(locationOf(reply)).toBe(`/v1/mcp-oauth-server/authorize?ticket=${ticket}`);
  });

  test.each(['https://evil.example/', '//evil.example', '/v1/mcp-oauth-server/logout'])(
    'goes on nowhere but here: %s',
    async (wanted) => {
      const query = new URLSearchParams({ return_to: wanted }).toString();
      const begun = await service.send({ ...get(oauth('/sign-in/acme')), rawQueryString: query });
      const location = locationOf(begun);
      const state = new URL(location).searchParams.get('state') ?? '';
      const code = acme.signIn(location, of('open', 'open@acme.example'));
      const reply = await back({ state, cookies: cookiesOf(begun) }, { code });
      expect(locationOf(reply)).toBe(CONSOLE);
    },
  );

  test('has an address that the ID token does not name and userinfo does, of the same person alone', async () => {
    const email = anAddressAtAcme();
    const info = { email, email_verified: true };
    const reply = await signedIn({ claims: { sub: 'info' }, userInfo: { sub: 'info', ...info } });
    expect(await whoIs(sessionIn(reply))).toMatchObject({ account: { email } });
    const mixed = await signedIn({ claims: { sub: 'i2' }, userInfo: { sub: 'info', ...info } });
    expect(mixed.statusCode).toBe(403);
    expect(whyLast()).toBe('acme: sign_in_refused: userinfo is of somebody else');
  });

  test('has not just signed in where the company does not say when they did', async () => {
    const stored = async (claims: object) => {
      const reply = await signedIn(of(`f-${people}`, anAddressAtAcme(), claims));
      const token = sessionIn(reply).split('=')[1] ?? '';
      return (await expectSession(service.ports, token, 'browser')).signedInAt;
    };
    expect(await stored({})).toBe(0);
    expect(await stored({ auth_time: NOON - 3000 })).toBe(NOON - 3000);
    expect(await stored({ auth_time: String(NOON - 5) })).toBe(NOON - 5);
    // A clock that is ahead makes nobody fresher than now.
    expect(await stored({ auth_time: NOON + 9999 })).toBe(service.clock.time);
  });
});

describe('who signs in again at a page of the console', () => {
  const again = async (claims: object): Promise<HttpReply> => {
    const query = new URLSearchParams({ again: '1', return_to: CONSOLE }).toString();
    const begun = await service.send({ ...get(oauth('/sign-in/acme')), rawQueryString: query });
    const location = locationOf(begun);
    const asked = new URL(location).searchParams;
    expect([asked.get('max_age'), asked.get('prompt')]).toEqual(['0', 'login']);
    const code = acme.signIn(location, of('again-1', 'again-1@acme.example', claims));
    return back({ state: asked.get('state') ?? '', cookies: cookiesOf(begun) }, { code });
  };

  test('shows their company who they are anew, and nothing older counts', async () => {
    const now = service.clock.time;
    expect((await again({ auth_time: now })).statusCode).toBe(303);
    expect((await again({ auth_time: now - 61 })).statusCode).toBe(403);
    expect(whyLast()).toContain('before they were asked');
    // Of one who says nothing, nobody is fresh.
    expect((await again({})).statusCode).toBe(303);
  });

  test('is told where, in place of a password', async () => {
    const reply = await signedIn(of('where', anAddressAtAcme()));
    expect(await whoIs(sessionIn(reply))).toMatchObject({
      company: { name: 'Acme', sign_in_at: `${BASE_URL}/mcp-oauth-server/sign-in/acme` },
    });
    const email = anAddressAtAcme();
    await service.user({ email, passwordHash: hashOf(PASSWORD) });
    const ofPassword = await whoIs(sessionIn(await typed(email, { password: PASSWORD })));
    expect(ofPassword).not.toHaveProperty('company');
  });

  test('chooses who they are where they were somebody else', async () => {
    const page = await service.send({ ...get(oauth('/sign-in')), rawQueryString: 'another=1' });
    expect(page.body).toContain('name="another"');
    const { headers } = await typed('ada@acme.example', { another: '1' });
    const asked = new URL(headers['location'] ?? '').searchParams;
    expect(asked.get('prompt')).toBe('select_account');
  });
});

describe('an account that was there before', () => {
  const ofPassword = async (over: object = {}) => {
    const email = anAddressAtAcme();
    const user = await service.user({ email, passwordHash: hashOf(PASSWORD), ...over });
    const reply = await typed(email, { password: PASSWORD });
    return { user, email, former: sessionIn(reply) };
  };

  test('is linked at the first sign-in, and tells what it keeps', async () => {
    const { user, email } = await ofPassword();
    const reply = await signedIn(of(`link-${email}`, email));
    expect(reply.statusCode).toBe(200);
    expect(reply.body).toContain('You sign in with Acme from now on');
    expect((await service.ports.users.findByEmail(email))?.id).toBe(user.id);
  });

  test('tells its holder by mail once, whoever that is', async () => {
    const { email } = await ofPassword();
    const mailsTo = async () =>
      (await mailsOf(service)).filter(({ to }) => to === email).map(({ subject }) => subject);
    await signedIn(of(`told-${email}`, email));
    await signedIn(of(`told-${email}`, email));
    expect(await mailsTo()).toEqual(['You sign in with Acme from now on']);
  });

  test('is opened no more by the password and the sessions from before, and by new ones', async () => {
    const { email, former } = await ofPassword();
    expect(await whoIs(former)).toMatchObject({ account: { email } });
    const reply = await signedIn(of(`ends-${email}`, email));
    expect(await whoIs(former)).toBeUndefined();
    expect((await typed(email, { password: PASSWORD })).statusCode).toBe(400);
    expect(await whoIs(sessionIn(reply))).toMatchObject({ account: { email } });
  });

  test('keeps what programs hold', async () => {
    const { user, email } = await ofPassword();
    await signedIn(of(`keeps-${email}`, email));
    expect((await service.ports.users.find(user.id))?.signedOutAt).toBe(user.signedOutAt);
  });

  test('of an operator is opened by no address', async () => {
    const { user, email, former } = await ofPassword();
    await service.ports.operatorMarks.put(user.id);
    const reply = await signedIn(of(`op-${email}`, email));
    expect(reply.statusCode).toBe(403);
    expect(reply.body).toContain('an operator');
    expect(await whoIs(former)).toBeDefined();
  });

  test('of an operator is opened where an operator has let the company, within 15 minutes', async () => {
    const { user, email, former } = await ofPassword();
    await service.ports.operatorMarks.put(user.id);
    const allow = (provider: string, whose = email) =>
      operatorCommands(service.ports)({ operator: 'allow-link', email: whose, provider });
    // The provider's own clock stands still.
    const now = service.clock.time;
    const come = (sub: string) => {
      const { time } = service.clock;
      return signedIn(of(sub, email, { iat: time, exp: time + 300 }));
    };
    expect(await allow('other')).toMatchObject({ ok: false, code: 'invalid_request' });
    expect(await allow('acme')).toMatchObject({ ok: true });
    service.clock.time += 15 * 60;
    expect((await come(`op-${email}`)).statusCode).toBe(403);
    await allow('acme');
    expect((await come(`op-${email}`)).statusCode).toBe(200);
    expect(await whoIs(former)).toBeUndefined();
    expect((await typed(email, { password: PASSWORD })).statusCode).toBe(400);
    // For good, and for that subject alone.
    service.clock.time += 3600;
    const reply = await come(`op-${email}`);
    expect(await whoIs(sessionIn(reply))).toMatchObject({ account: { email } });
    expect((await come(`op2-${email}`)).statusCode).toBe(403);
    service.clock.time = now;
  });

  test('of an operator is opened by no subject that was known before, and moves to no address', async () => {
    const { user, email } = await ofPassword();
    await asserted('known-operator', email);
    await service.ports.operatorMarks.put(user.id);
    const replies = [
      await signedIn(of('known-operator', email)),
      await signedIn(of('known-operator', anAddressAtAcme())),
    ];
    expect(replies.map((reply) => [reply.statusCode, sessionIn(reply)])).toEqual([
      [403, ''],
      [403, ''],
    ]);
    expect((await service.ports.users.find(user.id))?.email).toBe(email);
  });

  test.each([
    ['the same address', (email: string) => email],
    ['an address that is new', anAddressAtAcme],
  ])(
    'that assertions had reached is opened no more by what was there before, at %s',
    async (_, next) => {
      const { user, email, former } = await ofPassword();
      const sub = `asserted-${email}`;
      await asserted(sub, email);
      expect(await whoIs(former)).toBeDefined();

      const reply = await signedIn(of(sub, next(email)));
      expect(reply.body).toContain('You sign in with Acme from now on');
      expect(await whoIs(former)).toBeUndefined();
      expect((await typed(email, { password: PASSWORD })).statusCode).toBe(400);
      expect((await service.ports.users.find(user.id))?.identities).toHaveLength(1);

      // Once: what they choose themselves afterwards stays.
      const session = sessionIn(await signedIn(of(sub, next(email))));
      const again = await signedIn(of(sub, next(email)));
      expect(again.statusCode).toBe(303);
      expect(await whoIs(session)).toBeDefined();
    },
  );

  test('of another person of this company is not found by an address that was given on', async () => {
    const { email } = await ofPassword();
    await signedIn(of('first-holder', email));
    const reply = await signedIn(of('second-holder', email));
    expect(reply.statusCode).toBe(403);
    expect(sessionIn(reply)).toBe('');
    expect(whyLast()).toContain('another subject');
  });

  test.each<[string, (email: string) => object, string]>([
    ['an address that is not verified', () => ({ email_verified: false }), 'checked this address'],
    ['an address of another domain', () => ({ email: 'ada@evil.example' }), 'is no domain of Acme'],
    [
      'a preferred name in place of an address',
      (email) => ({ email: undefined, preferred_username: email }),
      'names no address',
    ],
  ])('is reached by nothing that nobody vouches for: %s', async (_, claims, why) => {
    const { email, former } = await ofPassword();
    const saying = of(`no-${email}`, email, claims(email));
    const reply = await signedIn({ ...saying, userInfo: { sub: `no-${email}` } });
    expect(reply.statusCode).toBe(403);
    expect(whyLast()).toContain(why);
    expect(await whoIs(former)).toBeDefined();
  });
});

describe('a sign-in', () => {
  test('is good once', async () => {
    const begun = await begin();
    const code = acme.signIn(begun.location, of('once', anAddressAtAcme()));
    expect((await back(begun, { code })).statusCode).toBe(303);
    const again = acme.signIn(begun.location, of('once', anAddressAtAcme()));
    expect((await back(begun, { code: again })).statusCode).toBe(400);
  });

  test('is finished by the browser that began it, and no other', async () => {
    const begun = await begin();
    const code = acme.signIn(begun.location, of('browser', anAddressAtAcme()));
    const asked = acme.asked().length;
    const nobody = await back({ ...begun, cookies: [] }, { code });
    expect(nobody.statusCode).toBe(400);
    const [name = ''] = begun.cookies[0]?.split('=') ?? [];
    const forged = await back({ ...begun, cookies: [`${name}=${'a'.repeat(43)}.eA`] }, { code });
    expect(forged.statusCode).toBe(400);
    expect(acme.asked().length).toBe(asked);
  });

  test('leads where it began, whatever somebody writes into the cookie', async () => {
    const begun = await begin();
    const [pair = ''] = begun.cookies;
    const changed = `${pair.split('.')[0]}.${Buffer.from('https://evil.example').toString('base64url')}`;
    const code = acme.signIn(begun.location, of('cookie', anAddressAtAcme()));
    expect((await back({ ...begun, cookies: [changed] }, { code })).statusCode).toBe(400);
  });

  test('ends after ten minutes', async () => {
    const begun = await begin();
    const code = acme.signIn(begun.location, of('late', anAddressAtAcme()));
    service.clock.time += 600;
    expect((await back(begun, { code })).statusCode).toBe(400);
    service.clock.time -= 600;
  });

  test('comes back from the provider that it went to', async () => {
    const begun = await begin();
    const code = acme.signIn(begun.location, of('mix', anAddressAtAcme()));
    expect((await back(begun, { code }, 'other')).statusCode).toBe(400);
    expect(other.asked()).toEqual([]);
  });

  test.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['an issuer twice', { iss: 'TWICE' }],
    ['an error', { error: 'access_denied' }],
    ['no code', { code: '' }],
    ['a code that is longer than any', { code: 'x'.repeat(4097) }],
  ])('is refused with %s, and asks nobody', async (_, sent) => {
    const begun = await begin();
    const code = acme.signIn(begun.location, of('iss', anAddressAtAcme()));
    const asked = acme.asked().length;
    const twice = 'iss' in sent && sent.iss === 'TWICE';
    const event = get(oauth('/sign-in/acme/callback'));
    const query = new URLSearchParams({ state: begun.state, code, ...(!twice && sent) });
    if (twice) for (const iss of [acme.url, acme.url]) query.append('iss', iss);
    const reply = await service.send({
      ...event,
      rawQueryString: query.toString(),
      cookies: [...begun.cookies],
    });
    expect(reply.statusCode).toBe(403);
    expect(acme.asked().length).toBe(asked);
  });

  test('names the issuer where the provider says that it always does', async () => {
    const finish = async (more: Readonly<Record<string, string>>) => {
      const begun = await begin('ada@other.example');
      const said = of('o1', 'ada@other.example');
      const code = other.signIn(begun.location, said);
      return (await back(begun, { code, ...more }, 'other')).statusCode;
    };
    expect(await finish({})).toBe(403);
    expect(await finish({ iss: other.url })).toBe(303);
  });
});

describe('a provider that lies', () => {
  const email = 'liar@acme.example';
  const endless: Answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id_token: 'x'.repeat(1024 * 1024) }));
  };
  const redirecting: Answer = (_, response) => {
    response.writeHead(307, { location: `${other.url}/token` }).end();
  };
  const says =
    (status: number, body: string): Answer =>
    (_, response) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

  test.each<[string, Saying, number, string]>([
    ['another issuer', { claims: { iss: 'https://evil.example' } }, 403, 'unknown issuer'],
    ['a slash more', { claims: { iss: 'SLASH' } }, 403, 'unknown issuer'],
    ['another audience', { claims: { aud: 'somebody' } }, 403, 'another audience'],
    ['more audiences', { claims: { aud: [CLIENT_ID, 'x'] } }, 403, 'other audiences'],
    ['no audience', { claims: { aud: undefined } }, 403, 'another audience'],
    ['another client', { claims: { azp: 'x' } }, 403, 'another client'],
    ['another nonce', { claims: { nonce: 'x' } }, 403, 'another sign-in'],
    ['no nonce', { claims: { nonce: undefined } }, 403, 'no usable nonce'],
    ['an expired token', { claims: { exp: NOON - 61 } }, 403, 'expired'],
    ['a token without end', { claims: { exp: undefined } }, 403, 'no usable exp'],
    ['an old token', { claims: { iat: NOON - 700 } }, 403, 'too long ago'],
    ['a token of tomorrow', { claims: { iat: NOON + 999 } }, 403, 'not issued yet'],
    ['no subject', { claims: { sub: undefined } }, 403, 'no usable sub'],
    ['an endless subject', { claims: { sub: 'x'.repeat(257) } }, 403, 'no usable sub'],
    ['no signature', { signed: 'none' }, 403, 'not a signed JWT'],
    ['a MAC with the public key', { signed: 'hs256' }, 403, 'algorithm not allowed'],
    ['a key of nobody', { signed: 'other' }, 403, 'signature not accepted'],
    ['a key that is not known', { header: { kid: 'key-2' } }, 403, 'signature not accepted'],
    ['no token', { answer: says(200, '{}') }, 403, 'no ID token'],
    ['no JSON', { answer: says(200, 'id_token=x') }, 403, 'no JSON object'],
    ['a megabyte', { answer: endless }, 503, 'too_large'],
    ['a redirect', { answer: redirecting }, 500, 'answers 307'],
    ['trouble', { answer: says(500, '') }, 503, 'answers 500'],
    ['too many requests', { answer: says(429, '') }, 503, 'answers 429'],
    [
      'a code that it does not know',
      { answer: says(400, '{"error":"invalid_grant"}') },
      403,
      'invalid_grant',
    ],
    [
      'that our client is none',
      { answer: says(401, '{"error":"invalid_client"}') },
      500,
      'invalid_client',
    ],
    ['secrets for an error', { answer: says(400, '{"error":"CANARY secret"}') }, 500, 'no code'],
  ])('signs nobody in: %s', async (_, saying, status, why) => {
    const claims =
      saying.claims?.['iss'] === 'SLASH' ? { iss: `${acme.url}/` } : (saying.claims ?? {});
    const reply = await signedIn({
      ...saying,
      claims: { sub: 'liar', email, email_verified: true, ...claims },
    });
    expect(reply.statusCode).toBe(status);
    expect(sessionIn(reply)).toBe('');
    expect(whyLast()).toContain(why);
    expect(await service.ports.users.findByEmail(email)).toBeUndefined();
  });

  test('leaves nothing of secret, code and token in the log or on a page', () => {
    expect(JSON.stringify(service.lines)).not.toContain('CANARY');
  });

  test('is given up after eight seconds', async () => {
    const reply = await signedIn({ claims: { sub: 'slow' }, answer: () => {} });
    expect(reply.statusCode).toBe(503);
    expect(whyLast()).toContain('timeout');
  });
});

describe('the secret of a provider', () => {
  beforeEach(() => {
    service.clock.time += 20;
  });

  test('goes nowhere but where it was set for: another token endpoint, client or issuer gets none', async () => {
    const { endpoints, sign_in: signIn } = acme.config;
    if (!endpoints || !signIn) throw new Error('no sign-in');
    const elsewhere = { ...endpoints, token_endpoint: `${other.url}/token` };
    const asked = other.asked().length;
    for (const changed of [
      { ...acme.config, endpoints: elsewhere },
      { ...acme.config, sign_in: { ...signIn, client_id: 'another' } },
    ]) {
      await apply([changed]);
      const reply = await signedIn(of('moved', anAddressAtAcme()));
      expect(reply.statusCode).toBe(500);
      expect(whyLast()).toContain('no secret is stored');
    }
    expect(other.asked().length).toBe(asked);
    await apply([acme.config]);
  });

  test('is kept for a provider that people sign in with, and for no other', async () => {
    expect(await setSecret('nobody', 'a secret')).toMatchObject({ ok: false, code: 'not_found' });
    await expect(service.identity({ provider: 'acme', code: 'c' })).rejects.toThrow(
      'not a sign-in to redeem',
    );
  });

  test('may be sent in the body, where the provider wants it there', async () => {
    const { sign_in: signIn } = acme.config;
    if (!signIn) throw new Error('no sign-in');
    await apply([{ ...acme.config, sign_in: { ...signIn, client_auth: 'post' } }]);
    await signedIn(of('post', anAddressAtAcme()));
    const { body, auth } = acme.asked().at(-1) ?? { body: new URLSearchParams(), auth: '' };
    expect([body.get('client_id'), body.get('client_secret'), auth]).toEqual([
      CLIENT_ID,
      CLIENT_SECRET,
      '',
    ]);
  });

  test('lets nobody in any more once the provider is gone, however far they are', async () => {
    await apply([acme.config]);
    const begun = await begin();
    const code = acme.signIn(begun.location, of('gone', anAddressAtAcme()));
    await apply([]);
    expect((await back(begun, { code })).statusCode).toBe(400);
    expect((await service.send(get(oauth('/sign-in')))).body).toContain('name="password"');
  });
});

describe('somebody of a company who signs in at a command line', () => {
  const page = '/v1/mcp-oauth-server/sign-in/command-line';
  const wanted = `${page}?${new URLSearchParams({ port: '50123', challenge: 'c'.repeat(43), state: 's'.repeat(43) }).toString()}`;

  /** Somebody signs in whose company says no time of it, on the way to a page. */
  const cameFor = async (fields: object, said: object = {}) => {
    const email = anAddressAtAcme();
    const begun = begunBy(await typed(email, fields));
    const code = acme.signIn(begun.location, of(`cli-${email}`, email, said));
    return { asked: new URL(begun.location).searchParams, came: await back(begun, { code }) };
  };

  test.each([
    ['login', {}],
    ['login select_account', { another: '1' }],
  ])('is told to show anew who they are (%s), and goes on to its page', async (prompt, fields) => {
    await apply([acme.config]);
    const { asked, came } = await cameFor({ return_to: wanted, ...fields });

    expect([asked.get('max_age'), asked.get('prompt')]).toEqual(['0', prompt]);
    expect(locationOf(came)).toBe(wanted);
    expect((await atPage(sessionIn(came))).statusCode).toBe(200);
  });

  test('shows it anew as somebody else, too, where both are wanted by a link', async () => {
    const rawQueryString = 'again=1&another=1';
    const reply = await service.send({ ...get(oauth('/sign-in/acme')), rawQueryString });
    const asked = new URL(locationOf(reply)).searchParams;
    expect([asked.get('max_age'), asked.get('prompt')]).toEqual(['0', 'login select_account']);
  });

  const atPage = (session: string) =>
    service.send({
      ...get(page),
      rawQueryString: wanted.slice(page.length + 1),
      cookies: [session],
    });

  test.each([{ return_to: CONSOLE }, { return_to: CONSOLE, another: '1' }])(
    'is sent there first, where it may have signed in whoever sat at the browser: %j',
    async (fields) => {
      const { came } = await cameFor(fields);
      const reply = await atPage(sessionIn(came));

      expect(reply.statusCode).toBe(303);
      expect(locationOf(reply)).toContain('/sign-in?return_to=');
    },
  );

  /** How old a program's sign-in is, where a browser came from the company ten seconds before. */
  const agoAtProgram = async (said: object, terms: object, way = wanted): Promise<number> => {
    const { sign_in: signIn } = acme.config;
    await apply([{ ...acme.config, ...(signIn && { sign_in: { ...signIn, ...terms } }) }]);
    const { came } = await cameFor({ return_to: way }, said);
    const token = sessionIn(came).split('=')[1] ?? '';
    const browser = await expectSession(service.ports, token, 'browser');
    service.clock.time += 10;
    const verifier = 'v'.repeat(43);
    const challenge = challengeOf(verifier);
    const asked = { port: 50_123, challenge, state: 's'.repeat(43) };
    const code = await makeCommandLineCode(service.ports, asked, browser);
    const sent = { code, verifier, sourceIp: '192.0.2.9' };
    const { accessToken } = await signInByCode(service.ports, sent);
    const { signedInAt } = await expectSession(service.ports, accessToken, 'api');
    return service.clock.time - signedInAt;
  };

  test('is fresh by when the company says, or by when they came from it where it was told to ask', async () => {
    const now = () => service.clock.time;
    expect(await agoAtProgram({ auth_time: now() }, {})).toBeLessThanOrEqual(60);
    expect(await agoAtProgram({ auth_time: now() - 3000 }, {}, CONSOLE)).toBeGreaterThan(3000);
    expect(await agoAtProgram({}, {})).toBe(10);
    expect(await agoAtProgram({}, { fresh: 'required' })).toBe(10);
    expect(await agoAtProgram({}, { fresh: 'never' })).toBe(now());
    expect(await agoAtProgram({}, {}, CONSOLE)).toBe(now());
    await apply([acme.config, announcing(other.config)]);
  });
});

test('a page that refuses somebody shows the reference of the event', async () => {
  const reply = await signedIn(of('nobody-knows', 'x@else.example'), anAddressAtAcme());
  const [, reference = ''] = /Reference: ([\da-f]{8})\./.exec(pageOf(reply)) ?? [];
  const event = service.lines.findLast((line) => line['event'] === 'company_sign_in_refused');

  expect(reference).not.toBe('');
  expect(event?.['why']).toContain(`(reference ${reference})`);
});

const pageOf = ({ body, isBase64Encoded }: HttpReply): string =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString();
