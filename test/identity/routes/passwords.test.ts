import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeMailToken } from '../../../layers/accounts/rules/mail-token.ts';
import type { MailPurpose } from '../../../layers/accounts/rules/user.ts';
import { dynamoIdentityProviders } from '../../../layers/identity/store/providers.ts';
import type { AppliedChange } from '../../../layers/identity/store/providers.ts';
import { operatorCommands } from '../../../layers/oauth/routes/operator.ts';
import { fingerprint } from '../../../layers/platform/rules/fingerprint.ts';
import { dynamoMailTokens } from '../../../layers/accounts/store/mail-tokens.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import { anEvent, get } from '../../support/mcp/router-events.ts';
import { anOAuthService, BASE_URL, type TestOAuth } from '../../support/oauth/oauth.ts';
import { form, jsonPost, oauth } from '../../support/oauth/oauth-requests.ts';
import { hashOf, mailsOf, PASSWORD } from '../../support/oauth/people.ts';
import { aSignInProvider, type SignInProvider } from '../../support/oauth/sign-in-provider.ts';

const ORIGIN = new URL(BASE_URL).origin;
const PAGE = `${BASE_URL}/mcp-oauth-server/sign-in`;
const ADA = 'ada@acme.example';
const CI = 'ci@acme.example';
const NEW = 'a passphrase that is long enough';

let service: TestOAuth;
let acme: SignInProvider;
let revision = 1;

beforeAll(async () => {
  acme = await aSignInProvider(() => service.clock.time);
  service = await anOAuthService({
    identityProviders: [{ ...acme.config, passwords: 'refused', exceptions: [CI] }],
    limits: {
      logins_per_minute_per_ip: 100_000,
      account_requests_per_hour_per_ip: 100_000,
    },
  });
  for (const email of [ADA, CI]) await service.user({ email, passwordHash: hashOf(PASSWORD) });
});
afterAll(async () => {
  await service.stop();
  await acme[Symbol.asyncDispose]();
});

const apply = async (change: Omit<AppliedChange, 'revision'>): Promise<void> => {
  const table = service.store.tableName('oauth');
  revision += 1;
  await dynamoIdentityProviders(service.store.instance(), table).replace({ ...change, revision });
  service.clock.time += 20;
};

const managementPost = (path: string, sent: object): HttpEvent =>
  anEvent('POST', `/v1/mcp-management${path}`, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sent),
  });

const OWN = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };

/** The token of a mail's link for an address. */
const linkFor = async (purpose: MailPurpose, email: string): Promise<string> => {
  const { clock, random } = service.ports;
  const tokens = dynamoMailTokens(
    service.store.instance(),
    service.store.tableName('users'),
    random,
  );
  const secret = random.secret();
  await tokens.put(fingerprint(secret), { purpose, email, expiresAt: clock.now() + 3600 });
  return writeMailToken(email, secret);
};

/** Each door at which a password is taken, or chosen: what somebody sends there. */
const DOORS: readonly (readonly [string, (email: string) => HttpEvent | Promise<HttpEvent>])[] = [
  ['POST /sessions', (email) => managementPost('/sessions', { email, password: PASSWORD })],
  ['the console', (email) => jsonPost('/console/sign-in', { email, password: PASSWORD }, OWN)],
  [
    'the login page',
    (email) => form('/sign-in', { email, password: PASSWORD }, { origin: ORIGIN }),
  ],
  ['POST /accounts', (email) => managementPost('/accounts', { email })],
  [
    'POST /accounts/resend-verification',
    (email) => managementPost('/accounts/resend-verification', { email }),
  ],
  [
    'POST /accounts/verify',
    async (email) =>
      managementPost('/accounts/verify', { token: await linkFor('sign_up', email), password: NEW }),
  ],
  [
    'POST /accounts/password-reset',
    (email) => managementPost('/accounts/password-reset', { email }),
  ],
  [
    'POST /accounts/password-reset/confirm',
    async (email) =>
      managementPost('/accounts/password-reset/confirm', {
        token: await linkFor('reset_password', email),
        password: NEW,
      }),
  ],
  ['the page of sign-up', (email) => form('/signup', { email }, { origin: ORIGIN })],
  [
    'the page of a new account',
    async (email) => ({
      ...get(oauth('/verify')),
      rawQueryString: `token=${await linkFor('sign_up', email)}`,
    }),
  ],
  [
    'its form',
    async (email) =>
      form(
        '/verify',
        { token: await linkFor('sign_up', email), name: '', password: NEW, repeated: NEW },
        { origin: ORIGIN },
      ),
  ],
  ['the page of a reset', (email) => form('/reset', { email }, { origin: ORIGIN })],
  [
    'the page of a new password',
    async (email) => ({
      ...get(oauth('/reset/confirm')),
      rawQueryString: `token=${await linkFor('reset_password', email)}`,
    }),
  ],
  [
    'its form',
    async (email) =>
      form(
        '/reset/confirm',
        { token: await linkFor('reset_password', email), password: NEW, repeated: NEW },
        { origin: ORIGIN },
      ),
  ],
];

const signIn = (email: string, password = PASSWORD) =>
  service.send(managementPost('/sessions', { email, password }));

const eventsSince = (count: number): readonly unknown[] =>
  service.lines.slice(count).flatMap(({ event }) => (event === undefined ? [] : [event]));

describe('where a company alone signs its people in', () => {
  test.each(DOORS)('no password is good, and none can be chosen: %s', async (_, sent) => {
    const before = (await service.ports.users.findByEmail(ADA))?.passwordHash;
    const asked = (await mailsOf(service)).length;
    for (const email of [ADA, 'nobody@acme.example']) {
      const { statusCode, body } = await service.send(await sent(email));
      expect(statusCode).toBe(403);
      expect(body).toContain(new URL(`${PAGE}/acme`).pathname);
    }
    expect((await service.ports.users.findByEmail(ADA))?.passwordHash).toBe(before);
    expect(await service.ports.users.findByEmail('nobody@acme.example')).toBeUndefined();
    expect((await mailsOf(service)).length).toBe(asked);
  });

  test('the answer says where to sign in, by the domain alone', async () => {
    const [known, unknown] = await Promise.all([signIn(ADA), signIn('nobody@acme.example')]);
    expect(JSON.parse(known.body)).toMatchObject({
      code: 'use_company_sign_in',
      sign_in_at: `${PAGE}/acme`,
    });
    expect(known.body).toBe(unknown.body);
  });

  test('nothing is hashed, looked up or counted as a wrong password before that', async () => {
    let hashed = 0;
    const { passwords, users } = service.ports;
    const strict = {
      ...service.ports,
      passwords: { ...passwords, verify: async () => ((hashed += 1), true) },
      users: {
        ...users,
        findByEmail: async () => {
          throw new Error('looked up');
        },
      },
    };
    const { signIn: step } = await import('../../../layers/accounts/steps/sign-in.ts');
    for (let count = 0; count < 7; count += 1) {
      const sent = { email: ADA, password: 'wrong', sourceIp: '192.0.2.1' };
      await expect(step(strict, sent)).rejects.toThrow('use_company_sign_in');
    }
    expect(hashed).toBe(0);
  });

  test('the page leads to the company, and on to what somebody wanted', async () => {
    const ticket = 'a'.repeat(43);
    const sent = form('/reset', { email: ADA, ticket }, { origin: ORIGIN });
    const { body } = await service.send(sent);
    expect(body).toContain(`/sign-in/acme?ticket&#x3D;${ticket}`);
  });

  test('the link of an invitation from before leads there as well, and on to the server', async () => {
    const token = await linkFor('sign_up', ADA);
    const page = (server: string) =>
      service.send({ ...get(oauth('/verify')), rawQueryString: `token=${token}&server=${server}` });

    expect((await page('orders')).body).toContain('/sign-in/acme?server&#x3D;orders');
    expect((await page('%2F%2Fevil.example')).body).not.toContain('server&#x3D;');
  });

  test('addresses that are excepted keep their passwords, and each use is an event', async () => {
    const count = service.lines.length;
    expect((await signIn(CI)).statusCode).toBe(200);
    expect(eventsSince(count)).toContain('password_exception_used');
    expect((await signIn(CI, 'wrong')).statusCode).toBe(401);
  });

  test('addresses elsewhere keep theirs, but for accounts that the company signs in', async () => {
    const passwordHash = hashOf(PASSWORD);
    const bob = await service.user({ email: 'bob@elsewhere.example', passwordHash });
    expect((await signIn(bob.email)).statusCode).toBe(200);
    const subject = fingerprint('moved');
    await service.ports.users.link(
      { ...bob, identities: [{ issuer: acme.config.issuer, subject }], revision: 2 },
      subject,
    );
    const refused = await signIn(bob.email);
    expect(refused.statusCode).toBe(401);
    expect(refused.body).toBe((await signIn('nobody@elsewhere.example')).body);
    const token = await linkFor('reset_password', bob.email);
    const sent = { token, password: NEW };
    const reset = await service.send(managementPost('/accounts/password-reset/confirm', sent));
    expect(JSON.parse(reset.body)).toMatchObject({ sign_in_at: `${PAGE}/acme` });
  });

  test('operators make accounts there without a password, and with none that opens nothing', async () => {
    const provision = (more: object) =>
      operatorCommands(service.ports)({
        operator: 'provision-account',
        email: 'made@acme.example',
        plan: 'free',
        ...more,
      });
    const refused = { ok: false, code: 'invalid_request' };
    expect(await provision({ password: NEW })).toMatchObject(refused);
    expect(await provision({ byMail: true })).toMatchObject(refused);
    expect(await provision({ withoutPassword: true })).toMatchObject({ ok: true, created: true });
  });
});

describe('with passwords off', () => {
  const KEPT = 'keeper@ops.example';
  const operate = (command: object) => operatorCommands(service.ports)(command);

  beforeAll(async () => {
    const keeper = await service.user({ email: KEPT, passwordHash: hashOf(PASSWORD) });
    await service.user({ email: 'second@ops.example', passwordHash: hashOf(PASSWORD) });
    await apply({ passwords: 'off', breakGlass: [keeper.id] });
  });
  afterAll(() => apply({ passwords: 'on', breakGlass: [] }));

  test('an account for emergencies opens, loudly', async () => {
    const count = service.lines.length;
    expect((await signIn(KEPT)).statusCode).toBe(200);
    expect(eventsSince(count)).toContain('break_glass_used');
    expect(await mailsOf(service)).toContainEqual(
      expect.objectContaining({ to: KEPT, subject: `${KEPT} was opened by its password` }),
    );
  });

  test('others are answered like a wrong password, after the same work', async () => {
    let hashed = 0;
    const { passwords } = service.ports;
    const counting: typeof passwords = {
      ...passwords,
      verify: (...given) => {
        hashed += 1;
        return passwords.verify(...given);
      },
    };
    const { signIn: step } = await import('../../../layers/accounts/steps/sign-in.ts');
    const cases = [
      { email: KEPT, password: 'wrong' },
      { email: 'second@ops.example', password: PASSWORD },
      { email: 'nobody@ops.example', password: PASSWORD },
    ];
    for (const sent of cases) {
      const ports = { ...service.ports, passwords: counting };
      expect(await step(ports, { ...sent, sourceIp: '192.0.2.2' })).toBeUndefined();
    }
    expect(hashed).toBe(cases.length);
    const answers = await Promise.all(cases.map(({ email, password }) => signIn(email, password)));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  });

  test.each(DOORS.slice(3))('nobody chooses a password, whoever they are: %s', async (_, sent) => {
    for (const email of [KEPT, 'nobody@ops.example']) {
      const { statusCode, body } = await service.send(await sent(email));
      expect([statusCode, body]).toEqual([403, expect.stringContaining('/sign-in')]);
    }
  });

  test('exceptions of a company are none', async () => {
    expect((await signIn(CI)).statusCode).toBe(403);
  });

  test('accounts for emergencies are few, and of no company', async () => {
    const keep = (email: string, end = false) =>
      operate({ operator: 'prepare-break-glass', email, end });
    expect(await keep('second@ops.example')).toMatchObject({
      ok: true,
      accounts: [{ email: KEPT }, { email: 'second@ops.example' }],
    });
    expect(await keep(KEPT, true)).toMatchObject({ ok: true, breakGlass: [] });
    expect(await keep('nobody@ops.example')).toMatchObject({ ok: false, code: 'not_found' });
    expect(await keep(ADA)).toMatchObject({ ok: false, code: 'invalid_request' });
    const linked = await service.user({
      email: 'linked@ops.example',
      identities: [{ issuer: 'https://idp.example', subject: fingerprint('linked') }],
    });
    expect(await keep(linked.email)).toMatchObject({ ok: false, code: 'invalid_request' });
    const five = await Promise.all(Array.from({ length: 5 }, () => service.user()));
    await apply({ breakGlass: five.map(({ id }) => id) });
    expect(await keep('second@ops.example')).toMatchObject({ ok: false, code: 'invalid_request' });
  });

  test('no list is applied that would let nobody in', async () => {
    const list = (providers: readonly object[]) =>
      operate({ operator: 'prepare-providers', providers });
    expect(await list([])).toMatchObject({ ok: false });
    await apply({ passwords: 'on', breakGlass: [] });
    expect(await list([])).toMatchObject({ ok: true });
    expect(await operate({ operator: 'prepare-passwords', passwords: 'off' })).toMatchObject({
      ok: true,
      passwords: 'off',
    });
  });
});
