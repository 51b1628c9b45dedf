import { afterAll, describe, expect, test } from '@jest/globals';
import { anOAuthService } from '../../../support/oauth/oauth.ts';
import { aPerson, PASSWORD } from '../../../support/oauth/people.ts';
import { aVisitor, linksOf, ORIGIN, pathTo, wordsOf } from '../../../support/oauth/visits.ts';

const WANTED = '/v1/console/servers/weather?tab=tools';

const service = await anOAuthService({ limits: { logins_per_minute_per_ip: 100_000 } });
afterAll(() => service.stop());

const signInAt = (returnTo: string) => `${ORIGIN}${pathTo('/sign-in', { return_to: returnTo })}`;

/** Opens the page and posts it. */
const signIn = async (returnTo: string, password = PASSWORD) => {
  const { email } = await aPerson(service);
  const visitor = aVisitor(service);
  const page = await visitor.open(signInAt(returnTo));
  await visitor.submit(page, '/sign-in', { email, password });
  const posted = visitor.replies[1]!;
  return { visitor, email, page, posted };
};

describe('the login page of the console', () => {
  test('returns to where somebody was in the console', async () => {
    const { page, posted } = await signIn(WANTED);

    expect(wordsOf(page.html)).toContain('Sign in to look after your servers');
    expect(posted).toMatchObject({
      statusCode: 303,
      headers: { location: WANTED },
      cookies: [expect.stringMatching(/^__Host-mcp-session=/), expect.any(String)],
    });
  });

  test.each(['https://evil.example/', '//evil.example/v1/console/', '/v1/mcp-oauth-server/logout'])(
    'leads to the start of the console instead of %s',
    async (elsewhere) => {
      const { visitor, posted } = await signIn(elsewhere);
      await visitor.open(signInAt(elsewhere));

      expect(posted.headers['location']).toBe('/v1/console/servers');
      expect(
        visitor.replies.find(({ statusCode }, index) => index > 2 && statusCode === 303),
      ).toMatchObject({ headers: { location: '/v1/console/servers' } });
    },
  );

  test('leads on without a question who is signed in already', async () => {
    const { visitor } = await signIn('');
    const before = visitor.replies.length;
    await visitor.open(signInAt(WANTED));

    expect(visitor.replies[before]).toMatchObject({
      statusCode: 303,
      headers: { location: WANTED },
    });
  });

  test('says that it did not work, and keeps where somebody was', async () => {
    const { email } = await aPerson(service);
    const visitor = aVisitor(service);
    const page = await visitor.open(signInAt(WANTED));
    const failed = await visitor.submit(page, '/sign-in', { email, password: 'wrong' });

    expect(failed.status).toBe(400);
    expect(failed.forms[0]).toMatchObject({
      action: '/v1/mcp-oauth-server/sign-in',
      fields: { email, return_to: WANTED },
    });
  });

  test('takes no form of another site', async () => {
    const { email } = await aPerson(service);
    const stranger = aVisitor(service, { headers: { origin: 'https://evil.example' } });
    const page = await stranger.open(signInAt(WANTED));
    const refused = await stranger.submit(page, '/sign-in', { email, password: PASSWORD });

    expect(refused.status).toBe(403);
    expect(stranger.cookies()).toBe('');
  });

  test('links to sign-up and reset, from which there is a way back', async () => {
    const visitor = aVisitor(service);
    const page = await visitor.open(signInAt(WANTED));
    const [reset = '', signUp = ''] = linksOf(page);
    const back = encodeURIComponent(WANTED);

    expect([reset, signUp]).toEqual([
      `/v1/mcp-oauth-server/reset?return_to=${back}`,
      `/v1/mcp-oauth-server/signup?return_to=${back}`,
    ]);
    for (const link of [reset, signUp]) {
      const form = await visitor.open(`${ORIGIN}${link}`);
      const sent = await visitor.submit(form, link.split('?')[0]!, { email: 'ada@example.com' });
      const signInAgain = `/v1/mcp-oauth-server/sign-in?return_to=${back}`;
      expect([linksOf(form), linksOf(sent)]).toEqual([[signInAgain], [link, signInAgain]]);
    }
  });
});
