import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lettersOf } from '../../../../layers/accounts/rules/command-line.ts';
import { makePersonalToken } from '../../../../layers/accounts/steps/personal-tokens.ts';
import { expectSession, startSession } from '../../../../layers/accounts/steps/sessions.ts';
import type { User } from '../../../../layers/accounts/rules/user.ts';
import { anOAuthService, type TestOAuth } from '../../../support/oauth/oauth.ts';
import { bodyOf } from '../../../support/oauth/oauth-requests.ts';
import { aPerson, PASSWORD } from '../../../support/oauth/people.ts';
import { anAddress, anEvent } from '../../../support/mcp/router-events.ts';
import { aVisitor, ORIGIN, pathTo, wordsOf } from '../../../support/oauth/visits.ts';

const PORT = '50123';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const STATE = 's'.repeat(43);
const ASKED = { port: PORT, challenge: CHALLENGE, state: STATE };
const MINUTE = 60;

let service: TestOAuth;
let noon: number;
beforeAll(async () => {
  service = await anOAuthService({ limits: { logins_per_minute_per_ip: 10 } });
  noon = service.clock.time;
});
afterAll(() => service.stop());

type Visitor = ReturnType<typeof aVisitor>;

const address = (over: Readonly<Record<string, string>> = {}): string =>
  `${ORIGIN}${pathTo('/sign-in/command-line', { ...ASKED, ...over })}`;

/** The page, once somebody has signed in on the way to it. */
const atThePage = async (user: User, visitor = aVisitor(service)) => {
  const login = await visitor.open(address());
  const page = await visitor.submit(login, '/sign-in', { email: user.email, password: PASSWORD });
  return { page, visitor };
};

/** Where the button leads, or undefined where it leads nowhere else. */
const pressed = async (
  { page, visitor }: Awaited<ReturnType<typeof atThePage>>,
  fields: Readonly<Record<string, string>> = { letters: lettersOf(CHALLENGE) },
) => {
  const end = await visitor.submit(page, '/sign-in/command-line', {
    decision: 'sign_in',
    ...fields,
  });
  return { end, brought: end.left ? end.url : undefined };
};

const codeFor = async (user: User): Promise<string> => {
  const { brought } = await pressed(await atThePage(user));
  return brought?.searchParams.get('code') ?? '';
};

const spend = (body: object, sourceIp = anAddress()) =>
  service.send(
    anEvent('POST', '/v1/mcp-management/sessions', {
      headers: { 'content-type': 'application/json', 'user-agent': 'hosted-mcp/1' },
      body: JSON.stringify(body),
      sourceIp,
    }),
  );

const withCookie = (token: string): Visitor =>
  aVisitor(service, { headers: { cookie: `__Host-mcp-session=${token}` } });

describe('the page where somebody signs in at the command line', () => {
  test('has them sign in first, and names who they are', async () => {
    const user = await aPerson(service);
    const { page } = await atThePage(user);

    expect(page.url.pathname).toBe('/v1/mcp-oauth-server/sign-in/command-line');
    expect(wordsOf(page.html)).toContain(`You are signed in as ${user.email}`);
  });

  test('does not show the letters that only the terminal has', async () => {
    const { page } = await atThePage(await aPerson(service));

    expect(page.html).not.toContain(lettersOf(CHALLENGE));
    expect(lettersOf(CHALLENGE)).toMatch(/^[B-DF-HJ-NP-TV-XZ]{4}$/);
  });

  test('brings a code to the port of this machine, and nothing else', async () => {
    const { brought } = await pressed(await atThePage(await aPerson(service)));

    expect(brought?.origin).toBe(`http://127.0.0.1:${PORT}`);
    expect(Object.fromEntries(brought?.searchParams ?? [])).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: STATE,
    });
  });

  test('takes the letters as people write them', async () => {
    const [a, b, c, d] = lettersOf(CHALLENGE).toLowerCase();
    const { brought } = await pressed(await atThePage(await aPerson(service)), {
      letters: ` ${a}${b}-${c} ${d}`,
    });

    expect(brought?.searchParams.get('code')).toBeTruthy();
  });

  test.each(['', 'AAAA', lettersOf('c'.repeat(43))])(
    'brings nothing for the letters %j',
    async (letters) => {
      const { end, brought } = await pressed(await atThePage(await aPerson(service)), { letters });

      expect([end.status, brought]).toEqual([400, undefined]);
      expect(wordsOf(end.html)).toContain('Type the four that your terminal shows');
    },
  );

  test('says that somebody has cancelled', async () => {
    const { brought } = await pressed(await atThePage(await aPerson(service)), {
      decision: 'cancel',
    });

    expect(Object.fromEntries(brought?.searchParams ?? [])).toEqual({
      error: 'access_denied',
      state: STATE,
    });
  });

  test('brings nothing for somebody else than it has named', async () => {
    const visitor = aVisitor(service);
    const shown = await atThePage(await aPerson(service), visitor);
    const grace = await aPerson(service);
    await visitor.open(address({ state: 't'.repeat(43) }));
    const login = await visitor.open(`${ORIGIN}${pathTo('/sign-in', { local: '1' })}`);
    // In another tab, meanwhile.
    if (login.forms.length > 0) throw new Error('somebody is signed in');
    await visitor.submit(shown.page, '/logout', {});
    await atThePage(grace, visitor);
    const { end, brought } = await pressed(shown);

    expect([end.status, brought]).toEqual([403, undefined]);
    expect(wordsOf(end.html)).toContain(`You are signed in as ${grace.email}`);
  });

  test('takes no form of another site', async () => {
    const reply = await service.send(
      anEvent('POST', pathTo('/sign-in/command-line'), {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://evil.example',
        },
        body: new URLSearchParams({ ...ASKED, decision: 'cancel' }).toString(),
      }),
    );

    expect(reply.statusCode).toBe(403);
  });

  test.each([
    { port: '80' },
    { port: '1023' },
    { port: '65536' },
    { port: '050123' },
    { port: '50123@evil.example' },
    { port: '' },
    { challenge: 'short' },
    { challenge: `${CHALLENGE}"` },
    { state: '' },
  ])('refuses %j, whoever is signed in', async (over) => {
    const { visitor } = await atThePage(await aPerson(service));
    const page = await visitor.open(address(over));

    expect(page.status).toBe(400);
    expect(wordsOf(page.html)).toContain('This address does not work');
  });

  test('refuses a parameter that is there twice', async () => {
    expect(await aVisitor(service).open(`${address()}&port=50124`)).toMatchObject({ status: 400 });
  });

  test('has somebody sign in again whose browser signed in long ago, without going in circles', async () => {
    const user = await aPerson(service);
    const { token } = await startSession(service.ports, user, 'browser');
    service.clock.time += 11 * MINUTE;
    const visitor = withCookie(token);
    const login = await visitor.open(address());

    expect(login.url.pathname).toBe('/v1/mcp-oauth-server/sign-in');
    expect(login.forms.map(({ action }) => action)).toContain('/v1/mcp-oauth-server/sign-in');
    service.clock.time = noon;
  });

  test('lets somebody sign in as another', async () => {
    const { page, visitor } = await atThePage(await aPerson(service));
    const out = await visitor.submit(page, '/logout', {});
    const [back = ''] = /href="([^"]*return_to[^"]*)"/.exec(out.html)?.slice(1) ?? [];

    expect(decodeURIComponent(back)).toContain('/sign-in/command-line?port');
  });
});

describe('POST /sessions with a code', () => {
  test('signs a program in as whoever has pressed the button, until the browser is signed out', async () => {
    const user = await aPerson(service);
    const code = await codeFor(user);
    service.clock.time += MINUTE;
    const reply = await spend({ code, verifier: VERIFIER });

    expect(bodyOf(reply)).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600 - MINUTE,
      email: user.email,
    });
    const session = await expectSession(
      service.ports,
      String(bodyOf(reply)['access_token']),
      'api',
    );
    expect(session).toMatchObject({ user: { id: user.id }, signedInAt: noon });
    expect(service.lines.findLast(({ event }) => event === 'command_line_signed_in')).toMatchObject(
      { account_id: user.id },
    );
    service.clock.time = noon;
  });

  test('is as fresh as the sign-in in the browser, and no fresher', async () => {
    const user = await aPerson(service);
    const signedInAt = noon - 9 * MINUTE;
    const { token } = await startSession(service.ports, user, 'browser', { signedInAt });
    const visitor = withCookie(token);
    const shown = { visitor, page: await visitor.open(address()) };
    const code = (await pressed(shown)).brought?.searchParams.get('code');
    const { access_token } = bodyOf(await spend({ code, verifier: VERIFIER }));
    const session = await expectSession(service.ports, String(access_token), 'api');
    service.clock.time += 2 * MINUTE;

    await expect(
      makePersonalToken(service.ports, { check: () => undefined } as never, user, session, {
        name: 'ci',
        scope: 'read',
      } as never),
    ).rejects.toMatchObject({ code: 'sign_in_again' });
    service.clock.time = noon;
  });

  test('is made by no session of somebody who has signed in before that, however new it is', async () => {
    const user = await aPerson(service);
    const signedInAt = noon - 11 * MINUTE;
    const { token } = await startSession(service.ports, user, 'browser', { signedInAt });
    const page = await withCookie(token).open(address());

    expect(page.url.pathname).toBe('/v1/mcp-oauth-server/sign-in');
    expect(wordsOf(page.html)).not.toContain(`You are signed in as ${user.email}`);
  });

  test('takes each code once', async () => {
    const code = await codeFor(await aPerson(service));
    const [first, second] = await Promise.all([
      spend({ code, verifier: VERIFIER }),
      spend({ code, verifier: VERIFIER }),
    ]);
    const third = await spend({ code, verifier: VERIFIER });

    expect([first.statusCode, second.statusCode].sort()).toEqual([200, 400]);
    expect(bodyOf(third)).toMatchObject({ code: 'invalid_token' });
  });

  test.each([
    ['another verifier', { verifier: 'w'.repeat(43) }],
    ['no verifier', { verifier: undefined }],
    ['the challenge in place of it', { verifier: CHALLENGE }],
  ])('refuses %s, and leaves the code good', async (_, over) => {
    const code = await codeFor(await aPerson(service));
    const refused = await spend({ code, ...over });

    expect(refused.statusCode).toBeGreaterThanOrEqual(400);
    expect(await spend({ code, verifier: VERIFIER })).toMatchObject({ statusCode: 200 });
  });

  test.each([
    [119, 200],
    [120, 400],
  ])('answers a code after %d seconds with %d', async (seconds, status) => {
    const code = await codeFor(await aPerson(service));
    service.clock.time += seconds;

    expect(await spend({ code, verifier: VERIFIER })).toMatchObject({ statusCode: status });
    service.clock.time = noon;
  });

  test('refuses a code of a browser that is signed out meanwhile', async () => {
    const { page, visitor } = await atThePage(await aPerson(service));
    const { brought } = await pressed({ page, visitor });
    await visitor.submit(page, '/logout', {});
    const code = brought?.searchParams.get('code');

    expect(await spend({ code, verifier: VERIFIER })).toMatchObject({ statusCode: 400 });
  });

  test('is counted before it is looked at', async () => {
    const sourceIp = anAddress();
    const guess = () => spend({ code: 'x'.repeat(43), verifier: VERIFIER }, sourceIp);
    for (let count = 0; count < 10; count += 1) {
      expect(await guess()).toMatchObject({ statusCode: 400 });
    }

    expect(await guess()).toMatchObject({ statusCode: 429 });
  });
});
