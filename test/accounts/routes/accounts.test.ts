import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { dynamoActivity } from '../../../layers/activity/store/activity.ts';
import { anOAuthService, type TestOAuth } from '../../support/oauth/oauth.ts';
import { bodyOf } from '../../support/oauth/oauth-requests.ts';
import { aPerson, mailsOf, mailTo, PASSWORD } from '../../support/oauth/people.ts';
import { anAddress, anEvent } from '../../support/mcp/router-events.ts';
import { aGet } from '../../support/oauth/visits.ts';

let service: TestOAuth;
let noon: number;
let people = 0;

beforeAll(async () => {
  service = await anOAuthService();
  noon = service.clock.time;
});
afterAll(() => service.stop());

const ACCOUNTS = '/v1/mcp-management/accounts';
const ANOTHER_PASSWORD = 'tidy lamp quartz seven';

const post = (path: string, sent: unknown, sourceIp = anAddress()) =>
  service.send(
    anEvent('POST', `/v1/mcp-management${path}`, {
      headers: { 'content-type': 'application/json' },
      body: typeof sent === 'string' ? sent : JSON.stringify(sent),
      sourceIp,
    }),
  );

const anEmail = (): string => {
  people += 1;
  return `person-${people}@example.com`;
};

/** Asks for an account. @returns the mail that follows */
const signUp = async (email: string) => {
  await post('/accounts', { email });
  return mailTo(service, email);
};

const choose = (token: string, password = PASSWORD) =>
  post('/accounts/verify', { token, password, name: 'Ada' });

const canSignIn = async (email: string, password = PASSWORD) =>
  (await post('/sessions', { email, password })).statusCode === 200;

/** Of two requests at once with one link: the second finds it in use, or used already. */
const ONE_OF_TWO = [
  [200, 400],
  [200, 409],
];

describe('POST /accounts', () => {
  test('sends a link behind which the password is chosen', async () => {
    const email = anEmail();
    const { token, subject, link } = await signUp(email);
    expect(await canSignIn(email)).toBe(false);

    const verified = await choose(token);

    expect(subject).toBe('Create your account');
    expect(link).toMatch(
      /^https:\/\/mcp\.example\.com\/v1\/mcp-oauth-server\/verify\?token=[\da-f]{64}\.[\w-]{43}$/,
    );
    expect(verified).toMatchObject({ statusCode: 200, body: '{"email_verified":true}' });
    expect(await canSignIn(email)).toBe(true);
  });

  test('makes no user before the mailbox is proven', async () => {
    const email = anEmail();
    await signUp(email);

    expect(await service.ports.users.findByEmail(email)).toBeUndefined();
  });

  test('refuses a password, says where it is chosen, and sends no mail', async () => {
    const sent = (await mailsOf(service)).length;
    const reply = await post('/accounts', { email: anEmail(), password: PASSWORD });

    expect(reply).toMatchObject({ statusCode: 422 });
    expect(bodyOf(reply)).toMatchObject({
      code: 'invalid_request',
      findings: [{ where: '/password', hint: expect.stringContaining('POST /accounts/verify') }],
    });
    expect((await mailsOf(service)).length).toBe(sent);
  });

  test('ignores a name: it is entered where the password is chosen', async () => {
    const email = anEmail();
    const reply = await post('/accounts', { email, name: 'Mallory' });
    await post('/accounts/verify', {
      token: (await mailTo(service, email)).token,
      password: PASSWORD,
    });

    expect(reply.statusCode).toBe(202);
    expect(await service.ports.users.findByEmail(email)).not.toHaveProperty('name');
  });

  test('answers the same whether or not the address has an account', async () => {
    const known = await aPerson(service);
    const replies = [
      await post('/accounts', { email: anEmail() }),
      await post('/accounts', { email: known.email.toUpperCase() }),
    ];

    expect(replies[0]).toMatchObject({ statusCode: 202 });
    expect(replies[1]?.body).toBe(replies[0]?.body);
    expect(replies[1]?.headers).toEqual(replies[0]?.headers);
  });

  test('notifies the owner of an existing account and changes nothing', async () => {
    const known = await aPerson(service);
    await post('/accounts', { email: known.email });

    expect(await mailTo(service, known.email)).toMatchObject({
      subject: 'You already have an account',
      token: '',
    });
    expect(await canSignIn(known.email)).toBe(true);
  });

  test('creates one account from two concurrent sign-ups, by one of the two links', async () => {
    const email = anEmail();
    const replies = await Promise.all([post('/accounts', { email }), post('/accounts', { email })]);
    const mails = (await mailsOf(service)).filter(({ to }) => to === email);
    const statuses = [];
    for (const { token } of mails) statuses.push((await choose(token)).statusCode);

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([202, 202]);
    expect(statuses.sort()).toEqual([200, 400]);
    expect(await canSignIn(email)).toBe(true);
  });

  test.each([
    ['no address', { email: 'nobody' }, '/email', expect.stringContaining('name@example.com')],
    ['two addresses', { email: 'a@example.com, b@example.com' }, '/email', expect.anything()],
  ])('refuses %s and says what to do', async (_, body, where, hint) => {
    const sent = (await mailsOf(service)).length;
    const reply = await post('/accounts', body);

    expect(reply).toMatchObject({
      statusCode: 422,
      headers: { 'content-type': 'application/problem+json' },
    });
    expect(bodyOf(reply)).toMatchObject({
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      code: 'invalid_request',
      findings: [{ where, hint }],
    });
    expect((await mailsOf(service)).length).toBe(sent);
  });
});

describe('the account routes', () => {
  test.each(['', '/verify', '/resend-verification', '/password-reset', '/password-reset/confirm'])(
    'POST /accounts%s refuses a body that is not an object with its fields',
    async (path) => {
      const refusals = [];
      for (const sent of [
        '',
        '{',
        'null',
        '[]',
        '{}',
        '"x"',
        '{"email":7,"token":{},"password":[]}',
      ]) {
        const reply = await post(`/accounts${path}`, sent);
        refusals.push([reply.statusCode, bodyOf(reply)['code']]);
      }

      expect(refusals).toEqual([
        [400, 'malformed_request'],
        [400, 'malformed_request'],
        ...Array.from({ length: 5 }, () => [422, 'invalid_request']),
      ]);
    },
  );

  test('refuse a content type that is not JSON', async () => {
    const body = JSON.stringify({ email: anEmail() });
    const headers = { 'content-type': 'text/plain' };

    expect(await service.send(anEvent('POST', ACCOUNTS, { headers, body }))).toMatchObject({
      statusCode: 400,
      headers: { 'content-type': 'application/problem+json' },
    });
  });

  test.each([
    ['GET', ACCOUNTS, 405, 'method_not_allowed'],
    ['DELETE', `${ACCOUNTS}/verify`, 405, 'method_not_allowed'],
    ['POST', `${ACCOUNTS}/nothing`, 404, 'not_found'],
  ])('%s %s is answered as a problem with status %i', async (method, path, status, code) => {
    const reply = await service.send(anEvent(method, path));

    expect(reply).toMatchObject({
      statusCode: status,
      headers: { 'content-type': 'application/problem+json' },
    });
    expect(bodyOf(reply)).toMatchObject({ status, code });
  });

  test('allow 20 requests an hour from one address and then name the limit', async () => {
    const sourceIp = anAddress();
    const statuses = [];
    for (let count = 0; count < 10; count += 1) {
      statuses.push(
        (await post('/accounts/password-reset', { email: anEmail() }, sourceIp)).statusCode,
      );
      statuses.push(
        (await post('/accounts/resend-verification', { email: anEmail() }, sourceIp)).statusCode,
      );
    }
    const refused = await post('/accounts', { email: anEmail() }, sourceIp);

    expect(statuses).toEqual(Array.from({ length: 20 }, () => 202));
    expect(refused).toMatchObject({ statusCode: 429, headers: { 'retry-after': '3600' } });
    expect(bodyOf(refused)).toMatchObject({
      code: 'rate_limited',
      limit: 'account_requests_per_hour_per_ip',
    });
  });

  test('count requests with guessed tokens as well', async () => {
    const sourceIp = anAddress();
    const statuses = [];
    for (let count = 0; count < 21; count += 1) {
      statuses.push(
        (await post('/accounts/verify', { token: `guess-${count}`, password: PASSWORD }, sourceIp))
          .statusCode,
      );
    }

    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), 429]);
  });

  test('add account events to the activity of that account only', async () => {
    const { id: accountId, email } = await aPerson(service);
    await post('/sessions', { email, password: 'wrong' });
    await post('/sessions', { email: anEmail(), password: 'wrong' });
    await post('/accounts/password-reset', { email });
    const { token } = await mailTo(service, email);
    await post('/accounts/password-reset/confirm', { token, password: ANOTHER_PASSWORD });

    const { store } = service;
    const activity = dynamoActivity(store.instance(), store.tableName('security-events'));
    const of = { accountId };
    const query = { of, type: undefined, from: '2026', before: '~', limit: 100 };
    const { events } = await activity.events(query);
    const subject = expect.stringMatching(/^198\.51\./);
    expect(events.map(({ details }) => details)).toEqual(
      expect.arrayContaining([
        { event: 'login_failed', subject, why: 'wrong password' },
        { event: 'password_reset', subject, why: 'by mail' },
      ]),
    );
    expect(events).toHaveLength(2);
  });

  test('log no password, token or email address', async () => {
    const email = anEmail();
    const { token } = await signUp(email);
    await choose(token, ANOTHER_PASSWORD);

    const log = JSON.stringify(service.lines);
    for (const secret of [email, ANOTHER_PASSWORD, token]) expect(log).not.toContain(secret);
  });
});

describe('POST /accounts/verify', () => {
  test('makes the account with a hash of the password that is chosen, and the name', async () => {
    const email = anEmail();
    await choose((await signUp(email)).token);

    expect(await service.ports.users.findByEmail(email)).toMatchObject({
      email,
      name: 'Ada',
      plan: 'free',
      passwordHash: expect.stringMatching(/^scrypt\$\d+\$\d+\$\d+\$[\w-]+\$[\w-]{43}$/),
    });
  });

  test('accepts a token once, and changes nothing afterwards', async () => {
    const email = anEmail();
    const { token } = await signUp(email);
    const replies = [];
    for (const password of [PASSWORD, ANOTHER_PASSWORD]) {
      const reply = await choose(token, password);
      replies.push([reply.statusCode, bodyOf(reply)['code']]);
    }

    expect(replies).toEqual([
      [200, undefined],
      [400, 'invalid_token'],
    ]);
    expect(await canSignIn(email)).toBe(true);
  });

  test('accepts the link of the latest mail only', async () => {
    const email = anEmail();
    const [earlier, later] = [await signUp(email), await signUp(email)];

    expect((await choose(earlier.token, ANOTHER_PASSWORD)).statusCode).toBe(400);
    expect((await choose(later.token)).statusCode).toBe(200);
    expect(await canSignIn(email)).toBe(true);
  });

  test('makes one account of two requests at once', async () => {
    const { token } = await signUp(anEmail());
    const replies = await Promise.all([choose(token), choose(token, ANOTHER_PASSWORD)]);

    expect(ONE_OF_TWO).toContainEqual(replies.map(({ statusCode }) => statusCode).sort());
  });

  test('refuses a link to an address that has got an account meanwhile', async () => {
    const email = anEmail();
    const { token } = await signUp(email);
    const user = await aPerson(service, { email });

    expect((await choose(token, ANOTHER_PASSWORD)).statusCode).toBe(400);
    expect(await service.ports.users.findByEmail(email)).toEqual(user);
  });

  test.each([
    ['a short password', 'eleven char', 'Use at least 12 characters.'],
    ['a common password', 'Unbelievable', expect.stringContaining('less common')],
    ['the name of the service', 'mcp.example.com', expect.stringContaining('less common')],
  ])('refuses %s, with the link still usable', async (_, password, hint) => {
    const { token } = await signUp(anEmail());
    const refused = await choose(token, password);

    expect(refused.statusCode).toBe(422);
    expect(bodyOf(refused)).toMatchObject({ findings: [{ where: '/password', hint }] });
    expect((await choose(token)).statusCode).toBe(200);
  });

  test('accepts a token for exactly 24 hours', async () => {
    const [early, late] = [await signUp(anEmail()), await signUp(anEmail())];

    service.clock.time = noon + 86_399;
    const inTime = await choose(early.token);
    service.clock.time = noon + 86_400;
    const tooLate = await choose(late.token);
    service.clock.time = noon;

    expect([inTime.statusCode, tooLate.statusCode]).toEqual([200, 400]);
  });

  test('refuses a token for a password reset', async () => {
    const { email } = await aPerson(service);
    await post('/accounts/password-reset', { email });
    const { token } = await mailTo(service, email);

    expect((await choose(token, ANOTHER_PASSWORD)).statusCode).toBe(400);
    expect(await canSignIn(email)).toBe(true);
  });

  test('refuses the secret of one address together with another address', async () => {
    const [own, strangers] = [await signUp(anEmail()), await signUp(anEmail())];
    const mixed = `${strangers.token.split('.')[0]}.${own.token.split('.')[1]}`;

    expect((await choose(mixed)).statusCode).toBe(400);
  });

  test('forgets sign-ins that failed before the account was made', async () => {
    const email = anEmail();
    const { token } = await signUp(email);
    for (let count = 0; count < 5; count += 1) await service.ports.lockouts.reserve(email, noon);

    await choose(token);

    expect(await canSignIn(email)).toBe(true);
  });

  test('shows a page with a form for GET, so that mail scanners make no account', async () => {
    const email = anEmail();
    const { token } = await signUp(email);
    const pages = [];
    for (let count = 0; count < 3; count += 1) {
      pages.push(await service.send(aGet(`${ACCOUNTS}/verify?token=${token}`)));
    }

    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(pages[0]?.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(pages[0]?.body).toContain('<form method="post" action="/v1/mcp-oauth-server/verify">');
    expect(await service.ports.users.findByEmail(email)).toBeUndefined();
    expect((await choose(token)).statusCode).toBe(200);
  });

  test('shows an error page for GET with an invalid link', async () => {
    for (const query of ['', '?token=', '?token=unknown', '?token=a&token=b']) {
      const { statusCode, headers, body } = await service.send(aGet(`${ACCOUNTS}/verify${query}`));

      expect([statusCode, headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
      expect(body).toContain('This link does not work any more');
    }
  });
});

describe('POST /accounts/resend-verification', () => {
  test('sends the mail of the sign-up again, whose link alone works', async () => {
    const email = anEmail();
    const first = await signUp(email);
    const reply = await post('/accounts/resend-verification', { email: email.toUpperCase() });
    const second = await mailTo(service, email);

    expect(reply.statusCode).toBe(202);
    expect((await choose(first.token)).statusCode).toBe(400);
    expect((await choose(second.token)).statusCode).toBe(200);
    expect(await canSignIn(email)).toBe(true);
  });

  test('answers the same for every address and sends one email to each', async () => {
    const known = await aPerson(service);
    const nobody = anEmail();
    const bodies = [];
    for (const email of [known.email, nobody]) {
      bodies.push((await post('/accounts/resend-verification', { email })).body);
    }

    expect(new Set(bodies).size).toBe(1);
    expect((await mailTo(service, known.email)).subject).toBe('You already have an account');
    expect((await mailTo(service, nobody)).subject).toBe('Create your account');
  });
});

describe('POST /accounts/password-reset', () => {
  const resetTokenOf = async (email: string) => {
    const { statusCode } = await post('/accounts/password-reset', { email });
    expect(statusCode).toBe(202);
    return (await mailTo(service, email)).token;
  };
  const confirm = (token: string, password = ANOTHER_PASSWORD) =>
    post('/accounts/password-reset/confirm', { token, password });

  test('sets the new password and invalidates the old one', async () => {
    const { email } = await aPerson(service);
    const reply = await confirm(await resetTokenOf(email));

    expect(reply).toMatchObject({ statusCode: 200, body: '{"password_changed":true}' });
    expect(await canSignIn(email)).toBe(false);
    expect(await canSignIn(email, ANOTHER_PASSWORD)).toBe(true);
  });

  test('ends sessions that began before it and none that began later', async () => {
    const { email, id } = await aPerson(service);
    const session = bodyOf(await post('/sessions', { email, password: PASSWORD }))['access_token'];
    await confirm(await resetTokenOf(email));
    const fresh = bodyOf(await post('/sessions', { email, password: ANOTHER_PASSWORD }))[
      'access_token'
    ];
    const end = (token: unknown) =>
      service.send(
        anEvent('DELETE', '/v1/mcp-management/sessions/current', {
          headers: { authorization: `Bearer ${token}` },
        }),
      );

    expect((await end(session)).statusCode).toBe(401);
    expect((await end(fresh)).statusCode).toBe(204);
    expect((await service.ports.users.find(id))?.signedOutAt).toBeGreaterThan(noon);
  });

  test('accepts a token once and for exactly one hour', async () => {
    const tokens = [];
    for (let count = 0; count < 3; count += 1) {
      tokens.push(await resetTokenOf((await aPerson(service)).email));
    }
    const [first = '', second = '', third = ''] = tokens;

    const statuses = [(await confirm(first)).statusCode, (await confirm(first)).statusCode];
    service.clock.time = noon + 3599;
    statuses.push((await confirm(second)).statusCode);
    service.clock.time = noon + 3600;
    statuses.push((await confirm(third)).statusCode);
    service.clock.time = noon;

    expect(statuses).toEqual([200, 400, 200, 400]);
  });

  test('works by the latest link only, and by those requested after it', async () => {
    const { email } = await aPerson(service);
    const [before, used] = [await resetTokenOf(email), await resetTokenOf(email)];
    await confirm(used);
    const after = await resetTokenOf(email);

    expect((await confirm(before)).statusCode).toBe(400);
    expect((await confirm(after)).statusCode).toBe(200);
  });

  test('succeeds for one of two concurrent requests', async () => {
    const { email } = await aPerson(service);
    const token = await resetTokenOf(email);

    const replies = await Promise.all([confirm(token), confirm(token)]);

    expect(ONE_OF_TWO).toContainEqual(replies.map(({ statusCode }) => statusCode).sort());
  });

  test('keeps the link valid if the new password is refused', async () => {
    const { email } = await aPerson(service);
    const token = await resetTokenOf(email);
    const weak = await confirm(token, email);

    expect(bodyOf(weak)).toMatchObject({
      code: 'invalid_request',
      findings: [{ where: '/password' }],
    });
    expect((await confirm(token)).statusCode).toBe(200);
  });

  test('also ends a lockout', async () => {
    const { email } = await aPerson(service);
    for (let count = 0; count < 5; count += 1) await service.ports.lockouts.reserve(email, noon);

    await confirm(await resetTokenOf(email));

    expect(await canSignIn(email, ANOTHER_PASSWORD)).toBe(true);
  });

  test('refuses the token of a sign-up', async () => {
    const { token } = await signUp(anEmail());

    expect((await confirm(token)).statusCode).toBe(400);
  });

  test('answers the same for an address without an account, which gets no mail', async () => {
    const { email } = await aPerson(service);
    const nobody = anEmail();
    const replies = [
      await post('/accounts/password-reset', { email }),
      await post('/accounts/password-reset', { email: nobody }),
    ];

    expect(replies[1]?.body).toBe(replies[0]?.body);
    expect(replies[1]?.headers).toEqual(replies[0]?.headers);
    expect((await mailsOf(service)).filter(({ to }) => to === nobody)).toEqual([]);
  });
});
