import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { User } from '../../../../layers/accounts/rules/user.ts';
import { anOAuthService, type TestOAuth } from '../../../support/oauth/oauth.ts';
import { aPerson, PASSWORD } from '../../../support/oauth/people.ts';
import {
  aVisitor,
  linksOf,
  ORIGIN,
  pathTo,
  type Visitor,
  wordsOf,
} from '../../../support/oauth/visits.ts';

let service: TestOAuth;
let clientId: string;
let noon: number;

beforeAll(async () => {
  service = await anOAuthService({
    limits: { authorize_per_minute_per_client: 100_000, logins_per_minute_per_ip: 100_000 },
  });
  ({ id: clientId } = await service.client());
  noon = service.clock.time;
});
afterAll(() => service.stop());

/** Opens the login page and posts it. */
const signIn = async (email: string, password = PASSWORD, visitor: Visitor = aVisitor(service)) => {
  const page = await visitor.authorize({ client_id: clientId });
  const end = await visitor.submit(page, '/login', { email, password });
  return { visitor, page, end, posted: visitor.replies.find(({ cookies }) => cookies) };
};

const isIn = (html: string) => html.includes('value="approve"');

/** The password of somebody, typed so often wrong. */
const failTimes = async (count: number, email: string) => {
  const visitor = aVisitor(service);
  const page = await visitor.authorize({ client_id: clientId });
  for (let failed = 0; failed < count; failed += 1) {
    await visitor.submit(page, '/login', { email, password: 'wrong' });
  }
};

describe('POST /login with the right password', () => {
  test('starts a session and continues to the consent page', async () => {
    const { email } = await aPerson(service);

    const { end, posted, visitor, page } = await signIn(email);

    expect(posted).toMatchObject({
      statusCode: 303,
      headers: {
        location: pathTo('/authorize', { ticket: page.forms[0]?.fields['ticket'] }),
        'cache-control': 'no-store',
      },
      cookies: [
        expect.stringMatching(
          /^__Host-mcp-session=[\w-]+\.[\w-]+\.[\w-]{86}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
        ),
        expect.stringMatching(
          /^__Host-mcp-device-[0-9a-f]{16}=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
        ),
      ],
    });
    expect(isIn(end.html)).toBe(true);
    expect(visitor.cookies()).toMatch(/^__Host-mcp-session=/);
  });

  test('accepts the email address in any case and with spaces around it', async () => {
    await aPerson(service, { email: 'grace@example.com' });

    expect(isIn((await signIn(' Grace@EXAMPLE.com ')).end.html)).toBe(true);
  });

  test('starts a new session each time and ends the previous one', async () => {
    const { email } = await aPerson(service);
    const { visitor, page } = await signIn(email);
    const before = visitor.cookies();

    await visitor.submit(page, '/login', { email, password: PASSWORD });
    const after = visitor.cookies();
    const old = aVisitor(service, { headers: { cookie: before } });

    expect(after).not.toBe(before);
    expect((await old.authorize({ client_id: clientId })).forms[0]?.action).toMatch(/login$/);
  });

  test('ignores a session id that the browser already had', async () => {
    const { email } = await aPerson(service);
    const planted = `__Host-mcp-session=${'x'.repeat(43)}`;
    const { posted } = await signIn(
      email,
      PASSWORD,
      aVisitor(service, { headers: { cookie: planted } }),
    );

    expect(posted?.cookies?.[0]).not.toContain('x'.repeat(43));
  });

  test('starts a session that lasts exactly one hour', async () => {
    const { email } = await aPerson(service);
    const { visitor } = await signIn(email);

    service.clock.time = noon + 3599;
    const lastSecond = await visitor.authorize({ client_id: clientId });
    service.clock.time = noon + 3600;
    const over = await visitor.authorize({ client_id: clientId });
    service.clock.time = noon;

    expect(isIn(lastSecond.html)).toBe(true);
    expect(over.forms[0]?.action).toMatch(/login$/);
  });
});

describe('POST /login with wrong credentials', () => {
  /** A page without what was typed and without its ticket. */
  const looks = ({ html }: { readonly html: string }) =>
    html
      .replaceAll(/value="[^"]*"/g, '')
      .replaceAll(/ticket=[\w-]{43}/g, '')
      // The cursor is where something has to be typed.
      .replaceAll(' autofocus', '');

  let person: User;
  let locked: User;
  let expected: string;

  beforeAll(async () => {
    person = await aPerson(service);
    locked = await aPerson(service);
    await failTimes(5, locked.email);
    const { end } = await signIn(person.email, 'wrong');
    expected = looks(end);
  });

  test.each([
    ['an unknown email address', () => 'nobody@example.com'],
    ['a malformed email address', () => 'nobody'],
    ['an empty email address', () => ''],
    ['a locked account even with the right password', () => locked.email],
  ])('shows the same page for %s', async (_, email) => {
    const { end, posted, visitor } = await signIn(email());

    expect(end.status).toBe(400);
    expect(looks(end)).toBe(expected);
    expect(posted).toBeUndefined();
    expect(visitor.cookies()).toBe('');
  });

  test('calls DynamoDB as often for an unknown email address as for a wrong password', async () => {
    const callsOf = async (address: string) => {
      const visitor = aVisitor(service);
      const page = await visitor.authorize({ client_id: clientId });
      const before = service.store.aws.calls.count();
      await visitor.submit(page, '/login', { email: address, password: 'wrong' });
      return service.store.aws.calls.count() - before;
    };

    expect(await callsOf(`${Math.random()}@example.com`)).toBe(await callsOf(person.email));
  });

  test('keeps the email address in its field, escaped, but not the password', async () => {
    const { end } = await signIn('"><script>alert(1)</script>', 'typed secret');

    expect(end.forms[0]?.fields['email']).toBe('"><script>alert(1)</script>');
    expect(end.html).not.toContain('<script');
    expect(end.html).not.toContain('typed secret');
  });

  test('is logged as a security event without email address or password', async () => {
    await signIn('somebody-secret@example.com', 'typed secret');

    expect(service.lines.findLast(({ event }) => event === 'login_failed')).toMatchObject({
      why: 'unknown e-mail',
      subject: expect.stringMatching(/^198\.51\./),
    });
    expect(JSON.stringify(service.lines)).not.toMatch(/somebody-secret|typed secret/);
  });
});

describe('the lockout of an account', () => {
  const after = async (seconds: number, email: string) => {
    service.clock.time = noon + seconds;
    const { end } = await signIn(email);
    service.clock.time = noon;
    return isIn(end.html);
  };

  test('does not begin after four failures', async () => {
    const { email } = await aPerson(service);
    await failTimes(4, email);

    expect(await after(0, email)).toBe(true);
  });

  test.each([
    [5, 900],
    [10, 3600],
    [15, 86_400],
  ])('after %i failures lasts exactly %i seconds', async (failures, seconds) => {
    const { email } = await aPerson(service);
    for (let failed = 0; failed < failures; failed += 1) {
      // A day apart, so that no lock is in the way of the next failure.
      await service.ports.lockouts.reserve(email, noon - (failures - 1 - failed) * 86_400);
    }

    expect(await after(seconds - 1, email)).toBe(false);
    expect(await after(seconds, email)).toBe(true);
  });

  test('does not count attempts during the lockout', async () => {
    const { email } = await aPerson(service);
    await failTimes(9, email);

    expect(await service.ports.lockouts.reserve(email, noon + 900)).toMatchObject({ failures: 6 });
    expect(await after(900, email)).toBe(true);
  });

  test('is reset by a successful login', async () => {
    const { email } = await aPerson(service);
    await failTimes(4, email);
    await signIn(email);
    await failTimes(4, email);

    expect(await after(0, email)).toBe(true);
  });

  test('also applies to addresses without an account', async () => {
    await failTimes(5, 'no-one@example.com');

    expect(await service.ports.lockouts.reserve('no-one@example.com', noon)).toBeUndefined();
    expect(service.lines.findLast(({ event }) => event === 'account_locked')).toBeDefined();
  });
});

describe('a browser that has signed in to an account before', () => {
  test('still signs in while strangers keep the account locked', async () => {
    const { email } = await aPerson(service);
    const { visitor } = await signIn(email);
    await failTimes(6, email);

    expect(isIn((await signIn(email)).end.html)).toBe(false);
    // What it sends stays the device cookie alone: the answer to the form says whether it is in.
    const { posted } = await signIn(email, PASSWORD, signedOut(visitor));
    expect(posted?.statusCode).toBe(303);
  });

  test('is locked by its own failures, which lock nobody else', async () => {
    const { email } = await aPerson(service);
    const known = signedOut((await signIn(email)).visitor);
    for (let count = 0; count < 5; count += 1) await signIn(email, 'wrong', known);

    expect((await signIn(email, PASSWORD, known)).posted).toBeUndefined();
    expect(isIn((await signIn(email)).end.html)).toBe(true);
  });

  test('has no rights in any other account', async () => {
    const { email } = await aPerson(service);
    const other = await aPerson(service);
    const cookie = deviceCookieOf((await signIn(email)).visitor);
    const named = cookie.replace(/device-\w+/, `device-${suffixOf(other.email)}`);
    await failTimes(5, other.email);

    const visitor = aVisitor(service, { headers: { cookie: named } });
    expect((await signIn(other.email, PASSWORD, visitor)).posted).toBeUndefined();
  });

  test('is forgotten by a password reset', async () => {
    const { email, id } = await aPerson(service);
    const known = signedOut((await signIn(email)).visitor);
    const user = await service.ports.users.find(id);
    if (!user) throw new Error('no user');
    await service.ports.users.replace({
      ...user,
      signedOutAt: noon + 1,
      revision: user.revision + 1,
    });
    await failTimes(5, email);

    expect((await signIn(email, PASSWORD, known)).posted).toBeUndefined();
  });

  test('gains nothing without the password', async () => {
    const { email } = await aPerson(service);
    const known = signedOut((await signIn(email)).visitor);

    expect((await signIn(email, 'wrong', known)).posted).toBeUndefined();
  });
});

/** The device cookie alone, as a browser has it when its session has ended. */
const deviceCookieOf = (visitor: Visitor): string =>
  visitor
    .cookies()
    .split('; ')
    .find((cookie) => cookie.startsWith('__Host-mcp-device-')) ?? '';

const signedOut = (visitor: Visitor): Visitor =>
  aVisitor(service, { headers: { cookie: deviceCookieOf(visitor) } });

const suffixOf = (email: string): string =>
  createHash('sha256').update(email).digest('hex').slice(0, 16);

describe('POST /login from another origin or too late', () => {
  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a sibling host', { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ])('from %s is refused and changes nothing', async (_, headers) => {
    const { email } = await aPerson(service);
    const { end, visitor } = await signIn(email, PASSWORD, aVisitor(service, { headers }));

    expect(end.status).toBe(403);
    expect(wordsOf(end.html)).toContain('Nothing has happened');
    expect(visitor.cookies()).toBe('');
  });

  test('with an expired ticket shows a page that says what to do', async () => {
    const { email } = await aPerson(service);
    const visitor = aVisitor(service);
    const page = await visitor.authorize({ client_id: clientId });
    service.clock.time = noon + 600;
    const end = await visitor.submit(page, '/login', { email, password: PASSWORD });
    service.clock.time = noon;

    expect(end.status).toBe(400);
    expect(wordsOf(end.html)).toContain('connect it again');
    expect(visitor.cookies()).toBe('');
  });

  test.each([
    ['no fields', {}],
    ['a field twice', 'email=a&email=b&password=c&ticket=d'],
    ['bytes that are not UTF-8', 'email=%ff&ticket=x'],
    ['a broken escape', 'email=%&ticket=x'],
    ['a huge body', `email=${'x'.repeat(100_000)}`],
  ])('with %s shows a readable page', async (_, sent) => {
    const { statusCode, headers } = await service.send({
      rawPath: pathTo('/login'),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: typeof sent === 'string' ? sent : '',
      isBase64Encoded: false,
      requestContext: { requestId: 'r', http: { method: 'POST', sourceIp: '203.0.113.9' } },
    });

    expect(statusCode).toBe(400);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

test('the login page allows twenty logins a minute from one address', async () => {
  const limited = await anOAuthService();
  try {
    const { id } = await limited.client();
    const { email } = await aPerson(limited);
    const visitor = aVisitor(limited);
    const page = await visitor.authorize({ client_id: id });
    const statuses = [];
    for (let count = 0; count < 21; count += 1) {
      statuses.push((await visitor.submit(page, '/login', { email, password: 'x' })).status);
    }

    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 400), 429]);
    expect(visitor.replies.at(-1)?.headers['retry-after']).toBe('60');
  } finally {
    await limited.stop();
  }
});

test('the session cookie has a plain name without HTTPS', async () => {
  const { email } = await aPerson(service);
  const { server } = await import('../../../../layers/oauth/routes/server.ts');
  const settings = { ...service.ports.settings, baseUrl: 'http://localhost:8787/v1' };
  const { posted } = await signIn(
    email,
    PASSWORD,
    aVisitor({ send: server({ ...service.ports, settings }) }),
  );

  expect(posted?.cookies?.[0]).toMatch(/^mcp-session=[\w-]+\.[\w-]+\.[\w-]{86}; .*SameSite=Lax$/);
});

test('the login page links only to the other account pages', async () => {
  const page = await aVisitor(service).authorize({ client_id: clientId });
  const ticket = page.forms[0]?.fields['ticket'];
  const links = linksOf(page);

  expect(links).toEqual(['reset', 'signup'].map((name) => pathTo(`/${name}`, { ticket })));
  expect(page.html).not.toContain(ORIGIN);
});

test('the login page shows the name of a server without characters that turn what follows', async () => {
  const { slug } = await service.deployment({ slug: 'turned', name: 'Ada\u202es pets' });
  const resource = `${ORIGIN}/v1/mcp-router/${slug}`;
  const page = await aVisitor(service).authorize({ client_id: clientId, resource });

  expect(page.html).toContain('<bdi>Adas pets</bdi>');
});
