import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { wireManagement } from '../../lambdas/management/wiring.ts';
import { lettersOf } from '../../layers/accounts/rules/command-line.ts';
import type { User } from '../../layers/accounts/rules/user.ts';
import { signOut } from '../../layers/accounts/steps/sign-out.ts';
import { server as managementServer } from '../../layers/management/routes/server.ts';
import { server as oauthServer } from '../../layers/oauth/routes/server.ts';
import type { HttpReply } from '../../layers/platform/http/reply.ts';
import { environmentOf } from '../lambdas/wiring/environments.ts';
import { get } from '../support/mcp/router-events.ts';
import {
  anOAuthService,
  BASE_URL,
  CHALLENGE,
  REDIRECT_URI,
  type TestOAuth,
  VERIFIER,
} from '../support/oauth/oauth.ts';
import { bodyOf, form, jsonPost, oauth } from '../support/oauth/oauth-requests.ts';
import { aPerson, PASSWORD } from '../support/oauth/people.ts';
import {
  aSignInProvider,
  CLIENT_SECRET,
  type SignInProvider,
} from '../support/oauth/sign-in-provider.ts';
import { aVisitor, ORIGIN } from '../support/oauth/visits.ts';
import { answerOf, requestOf } from '../support/service/management.ts';

/** Seconds between the read of the account and the next thing that the request does. */
const SLOW = 5;

let service: TestOAuth;
let acme: SignInProvider;
let management: ReturnType<typeof wireManagement>;
let ada: User;
let slug: string;
let client: string;

beforeAll(async () => {
  acme = await aSignInProvider(() => service.clock.time);
  service = await anOAuthService({ identityProviders: [acme.config] });
  const secret = { provider: 'acme', secret: CLIENT_SECRET };
  await service.identity({ operator: 'set-provider-secret', ...secret });
  const { store, ports } = service;
  const wired = wireManagement({ ...environmentOf(store, 'management'), BASE_URL });
  const { clock, events, log, standings } = ports;
  management = { ...wired, clock, events, log, standings };
});
afterAll(async () => {
  await service.stop();
  await acme[Symbol.asyncDispose]();
});
beforeEach(async () => {
  ada = await aPerson(service, { email: `${randomUUID()}@acme.example` });
  ({ slug } = await service.deployment({ ownerId: ada.id }));
  client = (await service.client()).id;
});

/**
 * Signs Ada out everywhere, as a new password does, right after a request has read her account. The store then keeps
 * the request waiting.
 */
const signingOut = <Users extends TestOAuth['ports']['users']>(users: Users): Users => {
  let isFirst = true;
  const meanwhile = async (user: User | undefined): Promise<User | undefined> => {
    if (user?.id === ada.id && isFirst) {
      isFirst = false;
      await signOut(service.ports, user);
      service.clock.time += SLOW;
    }
    return user;
  };
  return { ...users, find: async (id: string) => meanwhile(await users.find(id)) };
};

const slowly = () => oauthServer({ ...service.ports, users: signingOut(service.ports.users) });
const slowManagement = () =>
  managementServer({ ...management, users: signingOut(management.users) });

const api = (path: string, body: object, token?: string) => {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return { ...jsonPost('', body, headers), rawPath: `/v1/mcp-management${path}` };
};
const session = async (): Promise<string> => {
  const signedIn = await service.send(api('/sessions', { email: ada.email, password: PASSWORD }));
  return String(bodyOf(signedIn)['access_token']);
};
const browser = async () => {
  const visitor = aVisitor(service);
  const resource = `${ORIGIN}/v1/mcp-router/${slug}`;
  const login = await visitor.authorize({ client_id: client, resource });
  const signedIn = { email: ada.email, password: PASSWORD };
  return { visitor, consent: await visitor.submit(login, '/login', signedIn) };
};
/** The form of a page, as the browser would post it. */
const filled = (html: string, over: Readonly<Record<string, string>> = {}) => ({
  ...Object.fromEntries(
    [...html.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  ),
  ...over,
});
const cookiesOf = ({ cookies = [] }: HttpReply): string[] =>
  cookies.map((one) => one.split(';')[0] ?? '');
/** Ada signs in with her company. @param send - what her browser comes back to */
const atCompany = async (send: TestOAuth['send']): Promise<HttpReply> => {
  const begun = await service.send(get(oauth('/sign-in/acme')));
  const location = begun.headers['location'] ?? '';
  const claims = { sub: ada.id, email: ada.email, email_verified: true };
  const code = acme.signIn(location, { claims });
  const state = new URL(location).searchParams.get('state') ?? '';
  const rawQueryString = new URLSearchParams({ state, code }).toString();
  const event = { ...get(oauth('/sign-in/acme/callback')), rawQueryString };
  return send({ ...event, cookies: cookiesOf(begun) });
};
const opensConsole = async (cookies: string[]): Promise<boolean> => {
  const asked = jsonPost('/console/token', {}, { origin: ORIGIN, 'sec-fetch-site': 'same-origin' });
  return (await service.send({ ...asked, cookies })).statusCode === 200;
};
const callAs = async (token: string, send = managementServer(management)) =>
  (await send(requestOf('GET', '/deployments', { headers: { authorization: `Bearer ${token}` } })))
    .statusCode;

describe('what a session begins while its user is signed out everywhere', () => {
  test('the code of a consent buys no tokens', async () => {
    const { visitor, consent } = await browser();
    const event = form('/authorize', filled(consent.html, { decision: 'approve' }), {
      origin: ORIGIN,
    });
    const approved = await slowly()({ ...event, cookies: visitor.cookies().split('; ') });
    const code = new URL(approved.headers['location'] ?? '').searchParams.get('code') ?? '';
    expect(code).toMatch(/^mcp_code_/);

    const bought = await service.send(
      form('/token', {
        grant_type: 'authorization_code',
        code,
        redirect_uri: REDIRECT_URI,
        client_id: client,
        code_verifier: VERIFIER,
      }),
    );
    expect(bodyOf(bought)).toMatchObject({ error: 'invalid_grant' });
  });

  test('the session of a link to the console has ended', async () => {
    const made = bodyOf(await service.send(api('/sessions/console-links', {}, await session())));
    const link = new URL(String(made['url'])).searchParams.get('link') ?? '';
    const reply = await slowly()(form('/open', { link }, { origin: ORIGIN }));

    expect(reply.statusCode).toBe(303);
    expect(await opensConsole(cookiesOf(reply))).toBe(false);
  });

  test('the session of a command line has ended', async () => {
    const { visitor } = await browser();
    const query = { port: '7777', challenge: CHALLENGE, state: 'S'.repeat(43) };
    const path = `${oauth('/sign-in/command-line')}?${new URLSearchParams(query).toString()}`;
    const page = await visitor.open(`${ORIGIN}${path}`);
    const answered = await service.send({
      ...form(
        '/sign-in/command-line',
        filled(page.html, { letters: lettersOf(CHALLENGE), decision: 'continue' }),
        { origin: ORIGIN },
      ),
      cookies: visitor.cookies().split('; '),
    });
    const code = new URL(answered.headers['location'] ?? '').searchParams.get('code') ?? '';
    const reply = await slowly()(api('/sessions', { code, verifier: VERIFIER }));

    expect(reply.statusCode).toBe(200);
    expect(await callAs(String(bodyOf(reply)['access_token']))).toBe(401);
  });

  test('a personal access token is refused', async () => {
    const headers = { authorization: `Bearer ${await session()}` };
    const body = { name: 'ci', scope: 'all' };
    const asked = requestOf('POST', '/account/tokens', { headers, body });
    const made = answerOf(await slowManagement()(asked));

    expect(made.status).toBe(201);
    expect(await callAs(String(made.body['token']))).toBe(401);
  });

  test('the session of somebody who comes back from their company has ended', async () => {
    // The first sign-in ends what was there before it.
    await atCompany(service.send);
    service.clock.time += SLOW;
    const { standings } = service.ports;
    const slow = oauthServer({
      ...service.ports,
      standings: {
        of: async (user, door) => {
          await signOut(service.ports, user);
          service.clock.time += SLOW;
          return standings.of(user, door);
        },
      },
    });
    const reply = await atCompany(slow);

    expect(cookiesOf(reply).some((one) => one.startsWith('__Host-mcp-session=ey'))).toBe(true);
    expect(await opensConsole(cookiesOf(reply))).toBe(false);
  });
});
