import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { User } from '../../../../layers/accounts/rules/user.ts';
import { findBrowserSession, startSession } from '../../../../layers/accounts/steps/sessions.ts';
import { anOAuthService, ISSUER, type TestOAuth } from '../../../support/oauth/oauth.ts';
import { bodyOf } from '../../../support/oauth/oauth-requests.ts';
import { aPerson } from '../../../support/oauth/people.ts';
import { anAddress, anEvent } from '../../../support/mcp/router-events.ts';
import { aVisitor, linksOf, ORIGIN, pathTo, wordsOf } from '../../../support/oauth/visits.ts';

const WANTED = '/v1/console/servers/weather';

let service: TestOAuth;
let noon: number;
beforeAll(async () => {
  service = await anOAuthService({
    limits: { logins_per_minute_per_ip: 100_000, account_requests_per_hour_per_ip: 3 },
  });
  noon = service.clock.time;
});
afterAll(() => service.stop());

/** Somebody whose program is signed in. */
const signedIn = async (over: Partial<User> = {}) => {
  const user = await aPerson(service, over);
  const { token } = await startSession(service.ports, user, 'api');
  return { user, token };
};

const ask = (token: string | undefined, body?: object) =>
  service.send(
    anEvent('POST', '/v1/mcp-management/sessions/console-links', {
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        'content-type': 'application/json',
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );

const linkOf = async (token: string, body?: object): Promise<string> =>
  String(bodyOf(await ask(token, body))['url']);

/** Opens a link and presses the button. */
const follow = async (link: string, visitor = aVisitor(service)) => {
  const page = await visitor.open(link);
  if (page.forms.length > 0) await visitor.submit(page, '/open');
  return { page, visitor, reply: visitor.replies.findLast(({ statusCode }) => statusCode === 303) };
};

/** Who a browser is signed in as, as scripts of the console learn it. */
const whoIs = async (cookie: string) => {
  const reply = await service.send({
    ...anEvent('POST', pathTo('/console/token'), {
      headers: { origin: ORIGIN },
      sourceIp: anAddress(),
    }),
    cookies: cookie.split('; '),
  });
  return bodyOf(reply);
};

describe('POST /sessions/console-links', () => {
  test('gives a link for a minute, or as long as requested', async () => {
    const { token } = await signedIn();
    const [plain, long] = [await ask(token), await ask(token, { expires_in: 600 })];

    expect(plain).toMatchObject({ statusCode: 201, headers: { 'cache-control': 'no-store' } });
    expect(bodyOf(plain)).toEqual({
      url: expect.stringMatching(new RegExp(`^${ISSUER}/open\\?link=[\\w-]{43}$`)),
      expires_in: 60,
    });
    expect(bodyOf(long)).toMatchObject({ expires_in: 600 });
  });

  test('needs the session of a program', async () => {
    const user = await aPerson(service);
    const { token: cookie } = await startSession(service.ports, user, 'browser');
    const { access_token: lent } = await whoIs(`__Host-mcp-session=${cookie}`);

    for (const token of [undefined, 'nonsense', cookie, String(lent)]) {
      expect(await ask(token)).toMatchObject({ statusCode: 401 });
    }
  });

  test.each([{ expires_in: 601 }, { expires_in: 0 }, { expires_in: 1.5 }, { until: 'tomorrow' }])(
    'refuses %j',
    async (body) => {
      const { token } = await signedIn();

      expect(await ask(token, body)).toMatchObject({ statusCode: 422 });
    },
  );
});

describe('a link to the console', () => {
  test('shows who will be signed in, and signs them in when they say so', async () => {
    const { user, token } = await signedIn();
    const { page, visitor, reply } = await follow(await linkOf(token, { return_to: WANTED }));

    expect(wordsOf(page.html)).toContain(`You will be signed in here as ${user.email}`);
    expect(reply).toMatchObject({
      headers: { location: WANTED },
      cookies: [expect.stringMatching(/^__Host-mcp-session=/)],
    });
    expect(await whoIs(visitor.cookies())).toMatchObject({ account: { id: user.id } });
    expect(service.lines.findLast(({ event }) => event === 'console_link_used')).toMatchObject({
      account_id: user.id,
    });
  });

  test('signs nobody in who only opens it', async () => {
    const { token } = await signedIn();
    const visitor = aVisitor(service);
    await visitor.open(await linkOf(token));

    expect(visitor.cookies()).toBe('');
  });

  test('names who is signed in now, whose session ends', async () => {
    const [ada, grace] = [await signedIn(), await signedIn()];
    const { visitor } = await follow(await linkOf(ada.token));
    const before = visitor.cookies();
    const { page } = await follow(await linkOf(grace.token), visitor);

    expect(wordsOf(page.html)).toContain(`Now ${ada.user.email} is signed in`);
    expect(await whoIs(visitor.cookies())).toMatchObject({ account: { id: grace.user.id } });
    expect(await whoIs(before)).toMatchObject({ code: 'invalid_session' });
  });

  test('leads on at once who is signed in as that user already', async () => {
    const { token } = await signedIn();
    const { visitor } = await follow(await linkOf(token));
    const cookies = visitor.cookies();
    const { page, reply } = await follow(await linkOf(token, { return_to: WANTED }), visitor);

    expect(page.forms).toEqual([]);
    expect(reply).toMatchObject({ headers: { location: WANTED } });
    expect(visitor.cookies()).toBe(cookies);
  });

  test('works once', async () => {
    const { token } = await signedIn();
    const link = await linkOf(token);
    const stranger = aVisitor(service);
    const opened = await stranger.open(link);
    await follow(link);

    const later = await stranger.submit(opened, '/open');
    const again = await aVisitor(service).open(link);

    for (const page of [later, again]) {
      expect(page.status).toBe(400);
      expect(wordsOf(page.html)).toContain('This link does not work any more');
      expect(linksOf(page)).toEqual(['/v1/mcp-oauth-server/sign-in']);
    }
    expect(stranger.cookies()).toBe('');
  });

  test('signs in one of two who press the button at once', async () => {
    const { token } = await signedIn();
    const link = await linkOf(token);
    const visitors = [aVisitor(service), aVisitor(service)];
    const pages = await Promise.all(visitors.map((visitor) => visitor.open(link)));
    await Promise.all(visitors.map((visitor, index) => visitor.submit(pages[index]!, '/open')));

    expect(visitors.filter((visitor) => visitor.cookies() !== '')).toHaveLength(1);
  });

  test('works until the very second it expires', async () => {
    const { token } = await signedIn();
    const [first, second] = [await linkOf(token), await linkOf(token)];
    service.clock.time = noon + 59;
    const lastSecond = await aVisitor(service).open(first);
    service.clock.time = noon + 60;
    const over = await aVisitor(service).open(second);
    service.clock.time = noon;

    expect([lastSecond.status, over.status]).toEqual([200, 400]);
  });

  test('begins a session that is as old as that of the program', async () => {
    const { token } = await signedIn();
    service.clock.time = noon + 900;
    const { visitor } = await follow(await linkOf(token));
    const cookie = /(?:^|; )[\w-]*mcp-session=([^;]+)/.exec(visitor.cookies())?.[1];
    const session = await findBrowserSession(service.ports, cookie);
    service.clock.time = noon;

    expect(session).toMatchObject({ createdAt: noon + 900, signedInAt: noon });
  });

  test('begins a session that ends when that of the program would have', async () => {
    const { token } = await signedIn();
    service.clock.time = noon + 3000;
    const { visitor } = await follow(await linkOf(token));
    const session = await whoIs(visitor.cookies());
    service.clock.time = noon;

    expect(session).toMatchObject({ session_expires_in: 600 });
  });

  test.each([
    [
      'the program has signed out',
      async ({ token }: { readonly token: string }) => {
        const headers = { authorization: `Bearer ${token}` };
        await service.send(anEvent('DELETE', '/v1/mcp-management/sessions/current', { headers }));
      },
    ],
    [
      'the user is signed out everywhere',
      async ({ user }: { readonly user: User }) => {
        await service.ports.users.signOut({ ...user, signedOutAt: noon + 1, revision: 2 });
      },
    ],
    [
      'the account is gone',
      ({ user }: { readonly user: User }) => service.ports.users.remove(user),
    ],
  ])('does not work once %s', async (_, act) => {
    const who = await signedIn();
    const link = await linkOf(who.token);
    await act(who);

    expect((await aVisitor(service).open(link)).status).toBe(400);
  });

  test('is taken from no form of another site', async () => {
    const { token } = await signedIn();
    const stranger = aVisitor(service, { headers: { origin: 'https://evil.example' } });
    const page = await stranger.open(await linkOf(token));

    expect((await stranger.submit(page, '/open')).status).toBe(403);
    expect(stranger.cookies()).toBe('');
  });

  test('leads to no other place than the console', async () => {
    const { token } = await signedIn();
    const link = new URL(await linkOf(token, { return_to: 'https://evil.example' }));
    expect(link.searchParams.get('return_to')).toBe('/v1/console/servers');
    link.searchParams.set('return_to', '//evil.example/v1/console/');
    const { reply } = await follow(link.href);

    expect(reply).toMatchObject({ headers: { location: '/v1/console/servers' } });
  });

  test('cannot be guessed for long', async () => {
    const visitor = aVisitor(service);
    const statuses = [];
    for (let tried = 0; tried < 4; tried += 1) {
      const page = await visitor.open(`${ISSUER}/open?link=${'x'.repeat(43)}`);
      statuses.push(page.status);
    }

    expect(statuses).toEqual([400, 400, 400, 429]);
  });

  test('is counted with the tokens of the console', async () => {
    const { token } = await signedIn();
    const statuses = [];
    for (let count = 0; count < 31; count += 1) statuses.push((await ask(token)).statusCode);

    expect(statuses).toEqual([...Array(30).fill(201), 429]);
  });
});
