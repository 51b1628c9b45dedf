import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anOAuthService, type TestOAuth } from '../../support/oauth/oauth.ts';
import { aPerson, mailTo, PASSWORD } from '../../support/oauth/people.ts';
import { aVisitor, linksOf, ORIGIN, pathTo, wordsOf } from '../../support/oauth/visits.ts';

let service: TestOAuth;
let clientId: string;

beforeAll(async () => {
  service = await anOAuthService();
  ({ id: clientId } = await service.client());
  await service.deployment({ slug: 'for-all', access: { mode: 'any_user' } });
});
afterAll(() => service.stop());

const page = (path: string) => `${ORIGIN}${pathTo(path)}`;

test('a new user reaches the consent page through a sign-up by email', async () => {
  const visitor = aVisitor(service);
  const login = await visitor.authorize({
    client_id: clientId,
    resource: `${ORIGIN}/v1/mcp-router/for-all`,
  });
  const [, signUpLink] = linksOf(login);
  const form = await visitor.open(`${ORIGIN}${signUpLink}`);
  const email = 'newcomer@example.com';
  const filled = { name: 'New', password: PASSWORD, repeated: PASSWORD };

  const sent = await visitor.submit(form, '/signup', { email });
  const mailbox = aVisitor(service);
  const choose = await mailbox.open((await mailTo(service, email)).link);
  const done = await mailbox.submit(choose, '/verify', filled);
  const back = await visitor.open(`${ORIGIN}${linksOf(sent)[1]}`);
  const consent = await visitor.submit(back, '/login', { email, password: PASSWORD });

  expect(sent.status).toBe(202);
  expect(wordsOf(sent.html)).toContain('Check your e-mail');
  expect(wordsOf(sent.html)).toContain('A mail to newcomer@example.com is on its way');
  expect(wordsOf(sent.html)).toContain('check your spam folder');
  expect(wordsOf(choose.html)).toContain('for a new account of newcomer@example.com');
  expect(wordsOf(done.html)).toContain('Your account is ready');
  expect(wordsOf(done.html)).toContain('Go back there and sign in.');
  expect(await service.ports.users.findByEmail(email)).toMatchObject({ name: 'New' });
  expect(wordsOf(consent.html)).toContain('You are signed in as newcomer@example.com');
});

test('a new user who opens the mail in the same browser types nothing twice on the way to consent', async () => {
  const visitor = aVisitor(service);
  const login = await visitor.authorize({
    client_id: clientId,
    resource: `${ORIGIN}/v1/mcp-router/for-all`,
  });
  const form = await visitor.open(`${ORIGIN}${linksOf(login)[1]}`);
  const email = 'at-once@example.com';
  const sent = await visitor.submit(form, '/signup', { email });
  const again = await visitor.submit(sent, '/signup', {});
  const choose = await visitor.open((await mailTo(service, email)).link);
  const consent = await visitor.submit(choose, '/verify', {
    name: '',
    password: PASSWORD,
    repeated: PASSWORD,
  });

  expect(again.status).toBe(202);
  expect(wordsOf(again.html)).toContain(`A mail to ${email} is on its way`);
  expect(wordsOf(consent.html)).toContain(`You are signed in as ${email}`);
  expect(wordsOf(consent.html)).toContain('It will be able to');
});

test('a new user who opens the mail too late for the application is told to go back there', async () => {
  const visitor = aVisitor(service);
  const login = await visitor.authorize({
    client_id: clientId,
    resource: `${ORIGIN}/v1/mcp-router/for-all`,
  });
  const form = await visitor.open(`${ORIGIN}${linksOf(login)[1]}`);
  const email = 'too-late@example.com';
  await visitor.submit(form, '/signup', { email });
  const choose = await visitor.open((await mailTo(service, email)).link);
  const { time } = service.clock;
  service.clock.time += 601;
  const filled = { name: '', password: PASSWORD, repeated: PASSWORD };
  const done = await visitor.submit(choose, '/verify', filled);
  service.clock.time = time;

  expect(done.status).toBe(200);
  expect(wordsOf(done.html)).toContain('Your account is ready');
  expect(wordsOf(done.html)).toContain('Go back there and sign in.');
});

test('strangers who guess lock nobody out of the browser in which an account was made', async () => {
  const visitor = aVisitor(service);
  const email = 'known@example.com';
  await visitor.submit(await visitor.open(`${ORIGIN}/v1/mcp-oauth-server/signup`), '/signup', {
    email,
  });
  const choose = await visitor.open((await mailTo(service, email)).link);
  await visitor.submit(choose, '/verify', { name: '', password: PASSWORD, repeated: PASSWORD });
  const { lockouts, clock } = service.ports;
  for (let times = 0; times < 5; times += 1) await lockouts.reserve(email, clock.now());

  const signIn = async (browser: ReturnType<typeof aVisitor>) => {
    const login = await browser.authorize({ client_id: clientId });
    return wordsOf((await browser.submit(login, '/login', { email, password: PASSWORD })).html);
  };

  const consent = await visitor.authorize({ client_id: clientId });
  await visitor.submit(consent, '/logout');

  expect(await signIn(aVisitor(service))).not.toContain('You are signed in as');
  expect(await signIn(visitor)).toContain(`You are signed in as ${email}`);
});

test('who was invited chooses a password and is at the server, and nobody is led elsewhere', async () => {
  const email = 'invited@example.com';
  const visitor = aVisitor(service);
  const form = await visitor.open(page('/signup'));
  await visitor.submit(form, '/signup', { email });
  const { link } = await mailTo(service, email);
  const choose = await visitor.open(`${link}&server=for-all`);
  expect(choose.forms[0]?.fields).toMatchObject({ server: 'for-all' });
  expect((await visitor.open(`${link}&server=//evil.example`)).forms[0]?.fields).not.toHaveProperty(
    'server',
  );
  await visitor.submit(choose, '/verify', { password: PASSWORD, repeated: PASSWORD });
  const places = visitor.replies.map(({ headers }) => headers['location']);
  expect(places).toContain('/v1/mcp-router/for-all/docs');
});

test('a user who forgot the password chooses a new one through an email', async () => {
  const { email } = await aPerson(service);
  const visitor = aVisitor(service);
  const form = await visitor.open(page('/reset'));
  await visitor.submit(form, '/reset', { email });
  const choose = await visitor.open((await mailTo(service, email)).link);
  const password = 'tidy lamp quartz seven';

  const end = await visitor.submit(choose, '/reset/confirm', { password, repeated: password });
  const login = await visitor.authorize({ client_id: clientId });

  expect(choose.forms[0]?.fields).toMatchObject({ username: email });
  expect(wordsOf(end.html)).toContain('Your new password is saved');
  expect(await visitor.submit(login, '/login', { email, password })).toMatchObject({ status: 200 });
});

test('a user who lost the email of the sign-up asks for another one on the same page', async () => {
  const email = 'forgetful@example.com';
  const visitor = aVisitor(service);
  const form = await visitor.open(page('/signup'));
  await visitor.submit(form, '/signup', { email });
  const first = await mailTo(service, email);
  await visitor.submit(form, '/signup', { email });
  const second = await mailTo(service, email);

  expect((await visitor.open(first.link)).status).toBe(400);
  expect((await visitor.open(second.link)).status).toBe(200);
});

describe('an account form with invalid input', () => {
  test.each([
    ['two passwords', { repeated: 'another one' }, 'repeated', 'The two passwords are different'],
    [
      'a short password',
      { password: 'short', repeated: 'short' },
      'password',
      'Use at least 12 characters.',
    ],
    [
      'a common password',
      { password: 'unbelievable', repeated: 'unbelievable' },
      'password',
      'Use something less common',
    ],
  ])('is shown again with the input and the reason: %s', async (_, over, field, words) => {
    const visitor = aVisitor(service);
    const typed = { name: 'A "B"', password: PASSWORD, repeated: PASSWORD };
    const email = 'somebody@example.com';
    await visitor.submit(await visitor.open(page('/signup')), '/signup', { email });

    const form = await visitor.open((await mailTo(service, email)).link);
    const again = await visitor.submit(form, '/verify', { ...typed, ...over });

    expect(again.status).toBe(400);
    expect(again.html).toMatch(/<div class="note bad" role="alert">/);
    expect(linksOf(again)).toContain(`#${field}`);
    expect(wordsOf(again.html)).toContain(words);
    expect(again.html).toMatch(
      new RegExp(
        `<input id="${field}"[^>]* aria-invalid="true" aria-describedby="[^"]*\\b${field}-fault"`,
      ),
    );
    expect(again.forms[0]?.fields).toMatchObject({ name: 'A "B"', password: '', repeated: '' });
    expect(again.html).not.toContain(PASSWORD);
  });

  test('for a new password keeps the link of the email valid', async () => {
    const { email } = await aPerson(service);
    const visitor = aVisitor(service);
    await visitor.submit(await visitor.open(page('/reset')), '/reset', { email });
    const choose = await visitor.open((await mailTo(service, email)).link);
    const again = await visitor.submit(choose, '/reset/confirm', { password: 'x', repeated: 'x' });
    const end = await visitor.submit(again, '/reset/confirm', {
      password: PASSWORD,
      repeated: PASSWORD,
    });

    expect(wordsOf(again.html)).toContain('Use at least 12 characters.');
    expect(end.status).toBe(200);
  });

  test.each(['/signup', '/reset'])('at %s without an address says so', async (path) => {
    const visitor = aVisitor(service);
    const again = await visitor.submit(await visitor.open(page(path)), path, { email: '' });

    expect(again.status).toBe(400);
    expect(wordsOf(again.html)).toContain('Enter an address such as');
  });
});

test('the login page of a service that is closed offers no sign-up', async () => {
  const closed = await anOAuthService({ signUp: 'closed' });
  const { id } = await closed.client();
  const login = await aVisitor(closed).authorize({ client_id: id });
  await closed.stop();

  expect(login.forms[0]?.action).toMatch(/login$/);
  expect(linksOf(login).filter((link) => link.includes('/signup'))).toEqual([]);
});

describe('the account pages', () => {
  test.each(['/signup', '/reset', '/verify', '/reset/confirm', '/logout', '/login'])(
    'refuse a form posted from another origin: %s',
    async (path) => {
      const visitor = aVisitor(service, {
        headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      });
      const forged = { forms: [{ action: pathTo(path), fields: {} }], url: new URL(ORIGIN) };

      expect(
        await visitor.submit({ ...forged, status: 0, html: '', left: false }, path),
      ).toMatchObject({
        status: 403,
      });
    },
  );

  test.each(['/signup', '/reset'])(
    'ignore a ticket that is not of a pending authorization: %s',
    async (path) => {
      const visitor = aVisitor(service);
      const evil = await visitor.open(
        `${page(path)}?ticket=${encodeURIComponent('"//evil.example')}`,
      );

      expect(evil.html).not.toContain('evil.example');
      expect(linksOf(evil)).toEqual([]);
    },
  );

  test.each([
    ['/verify', 'Ask for another mail to create an account', '/signup'],
    ['/reset/confirm', 'Ask for a new password again', '/reset'],
  ])(
    'name where to get another link if the link to %s is not valid',
    async (path, label, target) => {
      const visitor = aVisitor(service);
      const dead = await visitor.open(`${page(path)}?token=${'x'.repeat(43)}`);

      expect(dead.status).toBe(400);
      expect(wordsOf(dead.html)).toContain(label);
      expect(linksOf(dead)).toEqual([pathTo(target)]);
    },
  );

  test('say after too many requests when to try again', async () => {
    const visitor = aVisitor(service);
    const form = await visitor.open(page('/reset'));
    for (let count = 0; count < 20; count += 1) {
      await visitor.submit(form, '/reset', { email: `nobody-${count}@example.com` });
    }
    const refused = await visitor.submit(form, '/reset', { email: 'nobody@example.com' });

    expect(refused.status).toBe(429);
    expect(visitor.replies.at(-1)?.headers['retry-after']).toBe('3600');
    expect(wordsOf(refused.html)).toContain('Try again in 3600 seconds.');
  });
});

describe('POST /logout', () => {
  test('ends the session on the server and not only in the browser', async () => {
    const { email } = await aPerson(service);
    const visitor = aVisitor(service);
    const login = await visitor.authorize({ client_id: clientId });
    const consent = await visitor.submit(login, '/login', { email, password: PASSWORD });
    const stolen = aVisitor(service, { headers: { cookie: visitor.cookies() } });

    const out = await visitor.submit(consent, '/logout');

    expect(wordsOf(out.html)).toContain('You are signed out');
    expect(visitor.replies.at(-1)?.cookies).toEqual([
      '__Host-mcp-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure',
    ]);
    expect(visitor.cookies()).not.toContain('mcp-session');
    expect((await stolen.authorize({ client_id: clientId })).forms[0]?.action).toMatch(/login$/);
  });

  test('succeeds for a browser that is not signed in', async () => {
    const visitor = aVisitor(service);
    const login = await visitor.authorize({ client_id: clientId });
    const form = { ...login, forms: [{ action: pathTo('/logout'), fields: {} }] };

    expect(await visitor.submit(form, '/logout')).toMatchObject({ status: 200 });
  });
});
