import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { User } from '../../../layers/core/domain/accounts/user.ts';
import { anOAuthService, type TestOAuth } from '../../support/oauth.ts';
import { aPerson, PASSWORD } from '../../support/people.ts';
import { aVisitor, linksOf, ORIGIN, pathTo, type Visitor, wordsOf } from '../../support/visits.ts';

// Passwords of strangers take their full cost.
jest.setTimeout(60_000);

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
  test('A5 starts a session and goes on to consent', async () => {
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
          /^__Host-mcp-session=[\w-]{43}; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
        ),
      ],
    });
    expect(isIn(end.html)).toBe(true);
    expect(visitor.cookies()).toMatch(/^__Host-mcp-session=/);
  });

  test('takes the e-mail in any case, with spaces around', async () => {
    await aPerson(service, { email: 'grace@example.com' });

    expect(isIn((await signIn(' Grace@EXAMPLE.com ')).end.html)).toBe(true);
  });

  test('A5 makes a new session each time, and the old one is over', async () => {
    const { email } = await aPerson(service);
    const { visitor, page } = await signIn(email);
    const before = visitor.cookies();

    await visitor.submit(page, '/login', { email, password: PASSWORD });
    const after = visitor.cookies();
    const old = aVisitor(service, { headers: { cookie: before } });

    expect(after).not.toBe(before);
    expect((await old.authorize({ client_id: clientId })).forms[0]?.action).toMatch(/login$/);
  });

  test('A5 takes no session id that the browser came with', async () => {
    const { email } = await aPerson(service);
    const planted = `__Host-mcp-session=${'x'.repeat(43)}`;
    const { posted } = await signIn(
      email,
      PASSWORD,
      aVisitor(service, { headers: { cookie: planted } }),
    );

    expect(posted?.cookies?.[0]).not.toContain('x'.repeat(43));
  });

  test('lasts for an hour, to the second', async () => {
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

describe('D28 POST /login with anything else', () => {
  /** A page without what was typed and without its ticket. */
  const looks = ({ html }: { readonly html: string }) =>
    html.replaceAll(/value="[^"]*"/g, '').replaceAll(/ticket=[\w-]{43}/g, '');

  let person: User;
  let unverified: User;
  let locked: User;
  let expected: string;

  beforeAll(async () => {
    person = await aPerson(service);
    unverified = await aPerson(service, { emailVerified: false });
    locked = await aPerson(service);
    await failTimes(5, locked.email);
    const { end } = await signIn(person.email, 'wrong');
    expected = looks(end);
  });

  test.each([
    ['an unknown e-mail', () => 'nobody@example.com'],
    ['an e-mail that is none', () => 'nobody'],
    ['no e-mail', () => ''],
    ['an e-mail that is not verified', () => unverified.email],
    ['a locked account (D37: the right password too)', () => locked.email],
  ])('looks the same: %s', async (_, email) => {
    const { end, posted, visitor } = await signIn(email());

    expect(end.status).toBe(400);
    expect(looks(end)).toBe(expected);
    expect(posted).toBeUndefined();
    expect(visitor.cookies()).toBe('');
  });

  test.each([
    ['an unknown e-mail', () => `${Math.random()}@example.com`],
    ['an unverified account', () => unverified.email],
  ])('asks the store as often for %s as for a wrong password', async (_, email) => {
    const callsOf = async (address: string) => {
      const visitor = aVisitor(service);
      const page = await visitor.authorize({ client_id: clientId });
      const before = service.store.aws.calls.count();
      await visitor.submit(page, '/login', { email: address, password: 'wrong' });
      return service.store.aws.calls.count() - before;
    };

    expect(await callsOf(email())).toBe(await callsOf(person.email));
  });

  test('keeps the e-mail in its field, escaped, and not the password', async () => {
    const { end } = await signIn('"><script>alert(1)</script>', 'typed secret');

    expect(end.forms[0]?.fields['email']).toBe('"><script>alert(1)</script>');
    expect(end.html).not.toContain('<script');
    expect(end.html).not.toContain('typed secret');
  });

  test('is an event, without e-mail or password', async () => {
    await signIn('somebody-secret@example.com', 'typed secret');

    expect(service.lines.findLast(({ event }) => event === 'login_failed')).toMatchObject({
      why: 'unknown e-mail',
      subject: expect.stringMatching(/^198\.51\./),
    });
    expect(JSON.stringify(service.lines)).not.toMatch(/somebody-secret|typed secret/);
  });
});

describe('the lockout (spec, "Account lockout"; D37)', () => {
  const after = async (seconds: number, email: string) => {
    service.clock.time = noon + seconds;
    const { end } = await signIn(email);
    service.clock.time = noon;
    return isIn(end.html);
  };

  test('four failures lock nothing', async () => {
    const { email } = await aPerson(service);
    await failTimes(4, email);

    expect(await after(0, email)).toBe(true);
  });

  test.each([
    [5, 900],
    [10, 3600],
    [15, 86_400],
  ])('%i failures lock for %i seconds', async (failures, seconds) => {
    const { email } = await aPerson(service);
    for (let failed = 0; failed < failures; failed += 1) {
      await service.ports.lockouts.recordFailure(email, noon);
    }

    expect(await after(seconds - 1, email)).toBe(false);
    expect(await after(seconds, email)).toBe(true);
  });

  test('attempts while locked do not count', async () => {
    const { email } = await aPerson(service);
    await failTimes(9, email);

    expect(await service.ports.lockouts.read(email)).toMatchObject({ failures: 5 });
    expect(await after(900, email)).toBe(true);
  });

  test('a success forgets the failures', async () => {
    const { email } = await aPerson(service);
    await failTimes(4, email);
    await signIn(email);
    await failTimes(4, email);

    expect(await after(0, email)).toBe(true);
  });

  test('e-mails that nobody has lock too', async () => {
    await failTimes(5, 'no-one@example.com');

    expect(await service.ports.lockouts.read('no-one@example.com')).toMatchObject({ failures: 5 });
    expect(service.lines.findLast(({ event }) => event === 'account_locked')).toBeDefined();
  });
});

describe('POST /login that comes from elsewhere, or too late', () => {
  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { origin: 'https://evil.example.com', 'sec-fetch-site': 'same-site' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ])('A3 from %s: 403, and nothing happens', async (_, headers) => {
    const { email } = await aPerson(service);
    const { end, visitor } = await signIn(email, PASSWORD, aVisitor(service, { headers }));

    expect(end.status).toBe(403);
    expect(wordsOf(end.html)).toContain('Nothing has happened');
    expect(visitor.cookies()).toBe('');
  });

  test('with a ticket that has expired: a page that says what to do', async () => {
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
    ['what is no UTF-8', 'email=%ff&ticket=x'],
    ['a broken escape', 'email=%&ticket=x'],
    ['a huge body', `email=${'x'.repeat(100_000)}`],
  ])('with %s: a readable page', async (_, sent) => {
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

test('twenty logins a minute from one address, and no more', async () => {
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

test('without encryption, as on this machine, the cookie has a plain name', async () => {
  const { email } = await aPerson(service);
  const { server } = await import('../../../lambdas/oauth/server.ts');
  const settings = { ...service.ports.settings, baseUrl: 'http://localhost:8787/v1' };
  const { posted } = await signIn(
    email,
    PASSWORD,
    aVisitor({ send: server({ ...service.ports, settings }) }),
  );

  expect(posted?.cookies?.[0]).toMatch(/^mcp-session=[\w-]{43}; .*SameSite=Lax$/);
});

test('pages of the login lead to each other and nowhere else', async () => {
  const page = await aVisitor(service).authorize({ client_id: clientId });
  const ticket = page.forms[0]?.fields['ticket'];
  const links = linksOf(page);

  expect(links).toEqual(
    ['reset', 'signup', 'resend'].map((name) => pathTo(`/${name}`, { ticket })),
  );
  expect(page.html).not.toContain(ORIGIN);
});
