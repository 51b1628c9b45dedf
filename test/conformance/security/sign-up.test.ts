import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mailsAt } from '../../support/oauth/people.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

const service = await startWholeService();
afterAll(() => service.stop());

const STRANGERS = 'a password of a stranger';
const OWNERS = 'a password of the owner';

/** Mails are sent side by side: what is asked for next waits for the one before. */
const post = async (path: string, body: object): Promise<Response> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await service.aws.eventsSettled();
  return answer;
};

const anEmail = (): string => `${randomUUID()}@example.com`;

/** The tokens of all mails to an address, the oldest first. */
const tokensTo = async (email: string): Promise<readonly string[]> =>
  (await mailsAt(service)).filter(({ to }) => to === email).map(({ token }) => token);

const canSignIn = async (email: string, password: string): Promise<boolean> =>
  (await post('/sessions', { email, password })).ok;

describe('a stranger who signs up with the address of somebody else', () => {
  test('has no account after the owner requested the mail again and followed its link', async () => {
    const email = anEmail();
    await post('/accounts', { email });
    await post('/accounts', { email, password: STRANGERS, name: 'Mallory' });
    await post('/accounts', { email });
    await post('/accounts/resend-verification', { email });
    const token = (await tokensTo(email)).at(-1);
    await post('/accounts/verify', { token, password: OWNERS });

    expect(await canSignIn(email, STRANGERS)).toBe(false);
    expect(await canSignIn(email, OWNERS)).toBe(true);
  });

  test('learns that no password is taken there, and no mail is sent', async () => {
    const email = anEmail();
    const answer = await post('/accounts', { email, password: STRANGERS });

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ findings: [{ where: '/password' }] });
    expect(await tokensTo(email)).toEqual([]);
  });

  test('leaves the owner one link that works: that of the latest mail', async () => {
    const email = anEmail();
    for (let count = 0; count < 3; count += 1) await post('/accounts', { email });
    const tokens = await tokensTo(email);
    const statuses = [];
    for (const token of tokens) {
      statuses.push((await post('/accounts/verify', { token, password: OWNERS })).status);
    }

    expect(statuses).toEqual([400, 400, 200]);
  });
});

describe('a link that is posted many times at once', () => {
  const POSTS = 8;

  test.each([
    ['creates an account', '/accounts', '/accounts/verify'],
    ['chooses a new password', '/accounts/password-reset', '/accounts/password-reset/confirm'],
  ])('%s once, and costs one hash', async (_, ask, choose) => {
    const linkTo = async (email: string): Promise<string> => {
      if (choose.endsWith('/confirm')) await service.person(email);
      await post(ask, { email });
      return String((await tokensTo(email)).at(-1));
    };
    const spent = async (token: string, times: number) => {
      const began = process.cpuUsage();
      const answers = await Promise.all(
        Array.from({ length: times }, () => post(choose, { token, password: OWNERS })),
      );
      const { user, system } = process.cpuUsage(began);
      return { answers, microseconds: user + system };
    };
    const email = anEmail();
    const [once, many] = [await linkTo(anEmail()), await linkTo(email)];

    const one = await spent(once, 1);
    const all = await spent(many, POSTS);
    const late = await post(choose, { token: many, password: STRANGERS });

    const refused = all.answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(POSTS - 1);
    for (const answer of refused) {
      const { code, detail } = (await answer.json()) as { code: string; detail: string };
      // Whoever comes after the first has finished is told that the link was used.
      if (code === 'invalid_token') continue;
      expect([code, answer.status, answer.headers.get('retry-after')]).toEqual([
        'conflict',
        409,
        '30',
      ]);
      expect(detail).toContain('Sign in with it in a moment');
    }
    expect(late.status).toBe(400);
    expect(await canSignIn(email, OWNERS)).toBe(true);
    expect(all.microseconds / one.microseconds).toBeLessThan(3);
  });
});

/** What took a search for words and runs 41 seconds: blocks of four equal digits and two odd letters. */
const HOSTILE = Array.from({ length: 22 }, (_, index) => String(index % 10).repeat(4)).join('');

describe('a password made to hold a machine', () => {
  test.each([
    ['blocks of digits', `${HOSTILE}ßþ`],
    ['128 characters of them', `${HOSTILE.repeat(2).slice(0, 126)}ßþ`],
  ])('is judged at once: %s', async (_, password) => {
    const email = anEmail();
    await post('/accounts', { email });
    const refused = await post('/accounts', { email: anEmail(), password });
    const [token] = await tokensTo(email);
    const chosen = await post('/accounts/verify', { token, password });

    expect([refused.status, chosen.status]).toEqual([422, 200]);
    expect(await canSignIn(email, password)).toBe(true);
  });
});

describe('a service that is closed to strangers', () => {
  let closed: WholeService;
  let some: WholeService;
  beforeAll(async () => {
    closed = await startWholeService({}, { settings: { SIGN_UP: 'closed' } });
    some = await startWholeService(
      {},
      {
        settings: { SIGN_UP: '{"domains":["example.com"]}' },
      },
    );
  });
  afterAll(() => Promise.all([closed.stop(), some.stop()]));

  const signUpAt = async ({ baseUrl, fetch }: WholeService, email: string) => {
    const answer = await fetch(`${baseUrl}/mcp-management/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };

  test('refuses every sign-up with a sentence, and sends no mail', async () => {
    const { status, body } = await signUpAt(closed, anEmail());

    expect(status).toBe(403);
    expect(body).toMatchObject({
      code: 'sign_up_closed',
      detail: expect.stringContaining('ask the operator of this service'),
    });
    expect(await mailsAt(closed)).toEqual([]);
  });

  test('says so on the page of the sign-up, which has no form', async () => {
    const page = await closed.browser().open(`${closed.issuer}/signup`);

    expect(page.status).toBe(403);
    expect(page.forms).toEqual([]);
    expect(page.html).toContain('You cannot create an account here');
  });

  test('or open to some domains refuses the others, subdomains too', async () => {
    const statuses = [];
    for (const email of ['a@example.com', 'a@sub.example.com', 'a@example.org', 'a@xexample.com']) {
      statuses.push((await signUpAt(some, email)).status);
    }

    expect(statuses).toEqual([202, 403, 403, 403]);
    expect((await mailsAt(some)).map(({ to }) => to)).toEqual(['a@example.com']);
  });
});
