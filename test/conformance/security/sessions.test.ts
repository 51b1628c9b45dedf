import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { type FormBrowser, type Visit } from '../../support/oauth/form-browser.ts';
import { mailsAt } from '../../support/oauth/people.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

const REDIRECT_URI = 'https://app.example/callback';

let service: WholeService;
let clientId: string;
beforeAll(async () => {
  service = await startWholeService();
  const answer = await service.fetch(`${service.issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'An assistant', redirect_uris: [REDIRECT_URI] }),
  });
  clientId = ((await answer.json()) as { client_id: string }).client_id;
});
afterAll(() => service.stop());

const authorizeUrl = (): URL => {
  const url = new URL(`${service.issuer}/authorize`);
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  return url;
};

interface SignedIn {
  readonly person: Person;
  readonly browser: FormBrowser;
  readonly page: Visit;
  /** What the browser's cookie holds. */
  readonly token: string;
}

const signedIn = async (): Promise<SignedIn> => {
  const person = await service.person();
  const browser = service.browser();
  const { email, password } = person;
  const page = await browser.submit(await browser.open(authorizeUrl()), '/login', {
    email,
    password,
  });
  const token = /mcp-session=([^;]*)/.exec(browser.cookies())?.[1] ?? '';
  return { person, browser, page, token };
};

/** Whether a browser with this cookie is signed in. */
const isIn = async (token: string): Promise<boolean> => {
  const answer = await service.fetch(authorizeUrl(), {
    headers: { cookie: `mcp-session=${token}` },
  });
  return !(await answer.text()).includes('type="password"');
};

const manage = (path: string, init: RequestInit): Promise<Response> =>
  service.fetch(`${service.baseUrl}/mcp-management${path}`, init);

const post = (path: string, body: object): Promise<Response> =>
  manage(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const apiToken = async ({ email, password }: Person): Promise<string> => {
  const answer = await post('/sessions', { email, password });
  return ((await answer.json()) as { access_token: string }).access_token;
};

describe('the cookie of a browser that signed in', () => {
  test('holds a JWT for an hour that the JWKS verifies, for the pages alone', async () => {
    const { person, token } = await signedIn();
    const keys = createRemoteJWKSet(new URL(`${service.issuer}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      issuer: service.issuer,
      audience: service.issuer,
      typ: 'session+jwt',
    });

    expect(protectedHeader.alg).toBe('ES256');
    expect(payload.sub).toBe(person.id);
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3600);
    expect(await isIn(token)).toBe(true);
  });

  test('opens the management API neither as a cookie nor as a bearer token', async () => {
    const { person, token } = await signedIn();
    const bearer = await apiToken(person);
    const account = (headers: Record<string, string>) => manage('/account', { headers });

    expect((await account({ cookie: `mcp-session=${token}` })).status).toBe(401);
    expect((await account({ cookie: `mcp-session=${bearer}` })).status).toBe(401);
    expect((await account({ authorization: `Bearer ${token}` })).status).toBe(401);
    expect((await account({ authorization: `Bearer ${bearer}` })).status).toBe(200);
  });

  test('cannot be a token of the management API', async () => {
    const { person } = await signedIn();

    expect(await isIn(await apiToken(person))).toBe(false);
  });

  test('is refused from the logout on, cached or not', async () => {
    const { browser, page, token } = await signedIn();
    expect(await isIn(token)).toBe(true);
    await browser.submit(page, '/logout');

    expect(browser.cookies()).not.toContain('mcp-session');
    expect(await isIn(token)).toBe(false);
  });

  test('is worth nothing from a password reset on', async () => {
    const { person, token } = await signedIn();
    const { email } = person;
    await post('/accounts/password-reset', { email });
    const mail = (await mailsAt(service)).findLast(({ to }) => to === email);
    const sent = { token: mail?.token, password: 'another umbrella, quite long' };
    expect((await post('/accounts/password-reset/confirm', sent)).ok).toBe(true);

    expect(await isIn(token)).toBe(false);
  });

  test('is worth nothing once the account is removed', async () => {
    const { person, token } = await signedIn();
    const headers = { authorization: `Bearer ${await apiToken(person)}` };
    expect((await manage('/account', { method: 'DELETE', headers })).ok).toBe(true);

    expect(await isIn(token)).toBe(false);
  });

  test('cannot be written from outside', async () => {
    const [header, claims, signature = ''] = (await signedIn()).token.split('.');
    const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;

    expect(await isIn(`${header}.${claims}.${changed}`)).toBe(false);
    expect(await isIn('x'.repeat(43))).toBe(false);
  });
});

test('no session was logged, stored or answered where it should not be', async () => {
  expect(service.wire.secrets().length).toBeGreaterThan(10);
  expect(await service.leaks()).toEqual([]);
});
