import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startSession } from '../../../layers/accounts/steps/sessions.ts';
import type { User } from '../../../layers/accounts/rules/user.ts';
import { anOAuthService, type TestOAuth } from '../../support/oauth/oauth.ts';
import { bodyOf } from '../../support/oauth/oauth-requests.ts';
import { aPerson } from '../../support/oauth/people.ts';
import { anAddress, anEvent } from '../../support/mcp/router-events.ts';
import { ORIGIN, pathTo } from '../../support/oauth/visits.ts';

let service: TestOAuth;
let noon: number;
beforeAll(async () => {
  service = await anOAuthService();
  noon = service.clock.time;
});
afterAll(() => service.stop());

const signIn = async (user: User, kind: 'api' | 'browser' = 'api', userAgent?: string) => {
  const { token, session } = await startSession(service.ports, user, kind, { userAgent });
  return { token, id: session.fingerprint };
};

const ask = (method: string, path: string, token?: string) =>
  service.send(
    anEvent(method, `/v1/mcp-management/sessions${path}`, {
      headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    }),
  );
const list = async (token: string) =>
  bodyOf(await ask('GET', '', token))['items'] as readonly Record<string, unknown>[];

/** What a browser's session lends. */
const lentBy = async (cookie: string): Promise<string> => {
  const reply = await service.send({
    ...anEvent('POST', pathTo('/console/token'), {
      headers: { origin: ORIGIN },
      sourceIp: anAddress(),
    }),
    cookies: [`__Host-mcp-session=${cookie}`],
  });
  return String(bodyOf(reply)['access_token']);
};

describe('the sessions of a user', () => {
  test('are listed, with what is signed in, and no secret', async () => {
    const user = await aPerson(service);
    const program = await signIn(user);
    const browser = await signIn(user, 'browser', `Firefox${'x'.repeat(300)}`);
    const items = await list(program.token);

    expect(items.find(({ id }) => id === program.id)).toEqual({
      id: program.id,
      kind: 'api',
      current: true,
      created_at: '2026-11-20T12:00:00Z',
      expires_at: '2026-11-20T13:00:00Z',
    });
    expect(items.find(({ id }) => id === browser.id)).toMatchObject({
      kind: 'browser',
      current: false,
      user_agent: `Firefox${'x'.repeat(193)}`,
    });
    expect(items).toHaveLength(2);
  });

  test('show the one that the console works with', async () => {
    const user = await aPerson(service);
    const browser = await signIn(user, 'browser');

    expect(await list(await lentBy(browser.token))).toMatchObject([
      { id: browser.id, current: true },
    ]);
  });

  test('remember what the program calls itself that signed in', async () => {
    const { email } = await aPerson(service);
    const reply = await service.send(
      anEvent('POST', '/v1/mcp-management/sessions', {
        headers: { 'content-type': 'application/json', 'user-agent': 'curl/8' },
        body: JSON.stringify({ email, password: 'kestrel umbrella fog' }),
      }),
    );

    expect(await list(String(bodyOf(reply)['access_token']))).toMatchObject([
      { user_agent: 'curl/8', current: true },
    ]);
  });

  test('are listed until the very second they end', async () => {
    const user = await aPerson(service);
    await signIn(user);
    service.clock.time = noon + 3599;
    const { token } = await signIn(user);
    const lastSecond = await list(token);
    service.clock.time = noon + 3600;
    const over = await list(token);
    service.clock.time = noon;

    expect([lastSecond.length, over.length]).toEqual([2, 1]);
  });

  test('end one by one, with what they have lent', async () => {
    const user = await aPerson(service);
    const program = await signIn(user);
    const browser = await signIn(user, 'browser');
    const lent = await lentBy(browser.token);

    expect((await ask('DELETE', `/${browser.id}`, program.token)).statusCode).toBe(204);
    expect((await ask('GET', '', lent)).statusCode).toBe(401);
    expect(await list(program.token)).toHaveLength(1);
    expect((await ask('DELETE', `/${browser.id}`, program.token)).statusCode).toBe(404);
  });

  test('are neither shown to nor ended by anybody else', async () => {
    const [ada, grace] = [await aPerson(service), await aPerson(service)];
    const [hers, others] = [await signIn(ada), await signIn(grace)];

    expect(await list(others.token)).toHaveLength(1);
    for (const id of [hers.id, 'nothing', '%00']) {
      expect((await ask('DELETE', `/${id}`, others.token)).statusCode).toBe(404);
    }
    expect((await ask('DELETE', `/${hers.id}`)).statusCode).toBe(401);
    expect((await ask('GET', '')).statusCode).toBe(401);
    expect(await list(hers.token)).toHaveLength(1);
  });

  test('of before a sign-out everywhere are not listed', async () => {
    const user = await aPerson(service);
    await signIn(user);
    const later = { ...user, signedOutAt: noon + 1, revision: 2 };
    await service.ports.users.signOut(later);
    const { token, id } = await signIn(later);

    expect((await list(token)).map((session) => session['id'])).toEqual([id]);
  });
});
