import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { dynamoActivity } from '../../../layers/core/adapters/dynamodb/activity.ts';
import { anOAuthService, type TestOAuth } from '../../support/oauth.ts';
import { bodyOf } from '../../support/oauth-requests.ts';
import { aPerson, mailsOf, mailTo, PASSWORD } from '../../support/people.ts';
import { anAddress, anEvent } from '../../support/router-events.ts';
import { aGet } from '../../support/visits.ts';

// Each sign-up is one hash of full cost.
jest.setTimeout(60_000);

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

const signUp = async (email: string, password = PASSWORD) => {
  await post('/accounts', { email, password, name: 'Ada' });
  return mailTo(service, email);
};

const canSignIn = async (email: string, password = PASSWORD) =>
  (await post('/sessions', { email, password })).statusCode === 200;

describe('POST /accounts', () => {
  test('makes an account that can be used once its address is confirmed', async () => {
    const email = anEmail();
    const { token, subject, link } = await signUp(email);
    expect(await canSignIn(email)).toBe(false);

    const verified = await post('/accounts/verify', { token });

    expect(subject).toBe('Confirm your e-mail address');
    expect(link).toMatch(
      /^https:\/\/mcp\.example\.com\/v1\/mcp-oauth-server\/verify\?token=[\w-]{43}$/,
    );
    expect(verified).toMatchObject({ statusCode: 200, body: '{"email_verified":true}' });
    expect(await canSignIn(email)).toBe(true);
  });

  test('keeps no password, only its hash', async () => {
    const email = anEmail();
    await signUp(email);

    const user = await service.ports.users.findByEmail(email);
    expect(user).toMatchObject({
      email,
      name: 'Ada',
      plan: 'free',
      emailVerified: false,
      passwordHash: expect.stringMatching(/^scrypt\$131072\$8\$1\$[\w-]+\$[\w-]{43}$/),
    });
  });

  test('D28 answers the same whether or not the address has an account', async () => {
    const known = await aPerson(service);
    const replies = [
      await post('/accounts', { email: anEmail(), password: PASSWORD }),
      await post('/accounts', { email: known.email.toUpperCase(), password: PASSWORD }),
    ];

    expect(replies[0]).toMatchObject({ statusCode: 202 });
    expect(replies[1]?.body).toBe(replies[0]?.body);
    expect(replies[1]?.headers).toEqual(replies[0]?.headers);
  });

  test('tells the owner of an account that somebody tried, and changes nothing', async () => {
    const known = await aPerson(service);
    await post('/accounts', { email: known.email, password: ANOTHER_PASSWORD });

    expect(await mailTo(service, known.email)).toMatchObject({
      subject: 'You already have an account',
      token: '',
    });
    expect(await canSignIn(known.email, ANOTHER_PASSWORD)).toBe(false);
    expect(await canSignIn(known.email)).toBe(true);
  });

  test('confirms the password of the very sign-up that the mail is of, whoever else signs up', async () => {
    const email = anEmail();
    await signUp(email, ANOTHER_PASSWORD);
    const own = await signUp(email);
    await signUp(email, ANOTHER_PASSWORD);

    await post('/accounts/verify', { token: own.token });

    expect(await canSignIn(email)).toBe(true);
    expect(await canSignIn(email, ANOTHER_PASSWORD)).toBe(false);
  });

  test('a link of somebody else changes nothing once the address is confirmed', async () => {
    const email = anEmail();
    const strangers = await signUp(email, ANOTHER_PASSWORD);
    const own = await signUp(email);
    await post('/accounts/verify', { token: own.token });

    await post('/accounts/verify', { token: strangers.token });

    expect(await canSignIn(email)).toBe(true);
  });

  test('two at once make one account', async () => {
    const email = anEmail();
    const body = { email, password: PASSWORD };
    const replies = await Promise.all([post('/accounts', body), post('/accounts', body)]);
    const mails = (await mailsOf(service)).filter(({ to }) => to === email);

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([202, 202]);
    for (const { token } of mails) await post('/accounts/verify', { token });
    expect(mails).toHaveLength(2);
    expect(await canSignIn(email)).toBe(true);
  });

  test.each([
    ['a short password', { password: 'short' }, '/password', 'Use at least 12 characters.'],
    [
      'a common password',
      { password: 'password1234' },
      '/password',
      expect.stringContaining('less common'),
    ],
    ['no address', { email: 'nobody' }, '/email', expect.stringContaining('name@example.com')],
    ['two addresses', { email: 'a@example.com, b@example.com' }, '/email', expect.anything()],
  ])('refuses %s, and says what to do', async (_, over, where, mend) => {
    const sent = (await mailsOf(service)).length;
    const reply = await post('/accounts', { email: anEmail(), password: PASSWORD, ...over });

    expect(reply).toMatchObject({
      statusCode: 422,
      headers: { 'content-type': 'application/problem+json' },
    });
    expect(bodyOf(reply)).toMatchObject({
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      code: 'invalid_request',
      findings: [{ where, mend }],
    });
    expect((await mailsOf(service)).length).toBe(sent);
  });
});

describe('the account routes', () => {
  test.each(['', '/verify', '/resend-verification', '/password-reset', '/password-reset/confirm'])(
    'POST /accounts%s refuses what is no object of its fields',
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

  test('refuse what is not said to be JSON', async () => {
    const body = JSON.stringify({ email: anEmail(), password: PASSWORD });
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
  ])('%s %s is a problem: %i', async (method, path, status, code) => {
    const reply = await service.send(anEvent(method, path));

    expect(reply).toMatchObject({
      statusCode: status,
      headers: { 'content-type': 'application/problem+json' },
    });
    expect(bodyOf(reply)).toMatchObject({ status, code });
  });

  test('take 20 requests an hour from one address, and name the limit then', async () => {
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
    const refused = await post('/accounts', { email: anEmail(), password: PASSWORD }, sourceIp);

    expect(statuses).toEqual(Array.from({ length: 20 }, () => 202));
    expect(refused).toMatchObject({ statusCode: 429, headers: { 'retry-after': '3600' } });
    expect(bodyOf(refused)).toMatchObject({
      code: 'rate_limited',
      limit: 'account_requests_per_hour_per_ip',
    });
  });

  test('count who guesses tokens as well', async () => {
    const sourceIp = anAddress();
    const statuses = [];
    for (let count = 0; count < 21; count += 1) {
      statuses.push(
        (await post('/accounts/verify', { token: `guess-${count}` }, sourceIp)).statusCode,
      );
    }

    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), 429]);
  });

  test('put what happens to an account on its own time line, and on no other', async () => {
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

  test('write no password, token or address into the log', async () => {
    const email = anEmail();
    const { token } = await signUp(email, ANOTHER_PASSWORD);
    await post('/accounts/verify', { token });

    const log = JSON.stringify(service.lines);
    for (const secret of [email, ANOTHER_PASSWORD, token]) expect(log).not.toContain(secret);
  });
});

describe('POST /accounts/verify', () => {
  test('works once', async () => {
    const { token } = await signUp(anEmail());
    const replies = [];
    for (let count = 0; count < 2; count += 1) {
      const reply = await post('/accounts/verify', { token });
      replies.push([reply.statusCode, bodyOf(reply)['code']]);
    }

    expect(replies).toEqual([
      [200, undefined],
      [400, 'invalid_token'],
    ]);
  });

  test('works for 24 hours, to the second', async () => {
    const [early, late] = [await signUp(anEmail()), await signUp(anEmail())];

    service.clock.time = noon + 86_399;
    const inTime = await post('/accounts/verify', { token: early.token });
    service.clock.time = noon + 86_400;
    const tooLate = await post('/accounts/verify', { token: late.token });
    service.clock.time = noon;

    expect([inTime.statusCode, tooLate.statusCode]).toEqual([200, 400]);
  });

  test('takes no token that resets a password', async () => {
    const { email } = await aPerson(service, { emailVerified: false });
    await post('/accounts/password-reset', { email });
    const { token } = await mailTo(service, email);

    expect((await post('/accounts/verify', { token })).statusCode).toBe(400);
    expect((await service.ports.users.findByEmail(email))?.emailVerified).toBe(false);
  });

  test('forgives who tried to sign in too early', async () => {
    const email = anEmail();
    const { token } = await signUp(email);
    for (let count = 0; count < 5; count += 1)
      await service.ports.lockouts.recordFailure(email, noon);

    await post('/accounts/verify', { token });

    expect(await canSignIn(email)).toBe(true);
  });

  test('GET shows a page with a button; what a mail scanner opens stays unconfirmed', async () => {
    const email = anEmail();
    const { token } = await signUp(email);
    const pages = [];
    for (let count = 0; count < 3; count += 1) {
      pages.push(await service.send(aGet(`${ACCOUNTS}/verify?token=${token}`)));
    }

    expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(pages[0]?.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(pages[0]?.body).toContain('<form method="post" action="/v1/mcp-oauth-server/verify">');
    expect((await service.ports.users.findByEmail(email))?.emailVerified).toBe(false);
    expect((await post('/accounts/verify', { token })).statusCode).toBe(200);
  });

  test('GET with a link that does not work says so in a page', async () => {
    for (const query of ['', '?token=', '?token=unknown', '?token=a&token=b']) {
      const { statusCode, headers, body } = await service.send(aGet(`${ACCOUNTS}/verify${query}`));

      expect([statusCode, headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
      expect(body).toContain('This link does not work any more');
    }
  });
});

describe('POST /accounts/resend-verification', () => {
  test('sends a link that works like the first', async () => {
    const email = anEmail();
    const first = await signUp(email);
    const reply = await post('/accounts/resend-verification', { email: email.toUpperCase() });
    const second = await mailTo(service, email);

    expect(reply.statusCode).toBe(202);
    expect(second.token).not.toBe(first.token);
    await post('/accounts/verify', { token: second.token });
    expect(await canSignIn(email)).toBe(true);
  });

  test('D28 answers everybody the same, and sends one mail to each', async () => {
    const verified = await aPerson(service);
    const nobody = anEmail();
    const bodies = [];
    for (const email of [verified.email, nobody]) {
      bodies.push((await post('/accounts/resend-verification', { email })).body);
    }

    expect(new Set(bodies).size).toBe(1);
    expect(await mailTo(service, verified.email)).toMatchObject({
      subject: 'Your e-mail address is confirmed',
      token: '',
    });
    expect(await mailTo(service, nobody)).toMatchObject({
      subject: 'There is no account with this address',
      token: '',
    });
  });
});

describe('resetting a password', () => {
  const resetTokenOf = async (email: string) => {
    const { statusCode } = await post('/accounts/password-reset', { email });
    expect(statusCode).toBe(202);
    return (await mailTo(service, email)).token;
  };
  const confirm = (token: string, password = ANOTHER_PASSWORD) =>
    post('/accounts/password-reset/confirm', { token, password });

  test('gives the account the new password, and only that', async () => {
    const { email } = await aPerson(service);
    const reply = await confirm(await resetTokenOf(email));

    expect(reply).toMatchObject({ statusCode: 200, body: '{"password_changed":true}' });
    expect(await canSignIn(email)).toBe(false);
    expect(await canSignIn(email, ANOTHER_PASSWORD)).toBe(true);
  });

  test('ends sessions and grants from before, and none from after', async () => {
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

  test('works once, for an hour, to the second', async () => {
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

  test('ends the links of resets that were asked for before, and none asked for after', async () => {
    const { email } = await aPerson(service);
    const [before, used] = [await resetTokenOf(email), await resetTokenOf(email)];
    await confirm(used);
    const after = await resetTokenOf(email);

    expect((await confirm(before)).statusCode).toBe(400);
    expect((await confirm(after)).statusCode).toBe(200);
  });

  test('of two at once one wins', async () => {
    const { email } = await aPerson(service);
    const token = await resetTokenOf(email);

    const replies = await Promise.all([confirm(token), confirm(token)]);

    expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  });

  test('keeps the link usable if the password is not', async () => {
    const { email } = await aPerson(service);
    const token = await resetTokenOf(email);
    const weak = await confirm(token, email);

    expect(bodyOf(weak)).toMatchObject({
      code: 'invalid_request',
      findings: [{ where: '/password' }],
    });
    expect((await confirm(token)).statusCode).toBe(200);
  });

  test('confirms the address as well, and opens locks', async () => {
    const { email } = await aPerson(service, { emailVerified: false });
    for (let count = 0; count < 5; count += 1)
      await service.ports.lockouts.recordFailure(email, noon);

    await confirm(await resetTokenOf(email));

    expect(await canSignIn(email, ANOTHER_PASSWORD)).toBe(true);
  });

  test('takes no token that confirms an address', async () => {
    const { token } = await signUp(anEmail());

    expect((await confirm(token)).statusCode).toBe(400);
  });

  test('D28 answers the same for an address without an account', async () => {
    const { email } = await aPerson(service);
    const nobody = anEmail();
    const replies = [
      await post('/accounts/password-reset', { email }),
      await post('/accounts/password-reset', { email: nobody }),
    ];

    expect(replies[1]?.body).toBe(replies[0]?.body);
    expect((await mailTo(service, nobody)).subject).toBe('There is no account with this address');
  });
});
