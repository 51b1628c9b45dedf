import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mailsAt } from '../../support/oauth/people.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

const REDIRECT_URI = 'https://app.example/callback';
/** Of the sample: a tool, an argument, and where its calls go. */
const TOLD = ['listBooks', 'Calls go to'];

let service: WholeService;
let owner: Person;
let clientId: string;
beforeAll(async () => {
  service = await startWholeService();
  owner = await service.person();
  const answer = await send('POST', `${service.issuer}/register`, {
    client_name: 'An assistant',
    redirect_uris: [REDIRECT_URI],
  });
  clientId = ((await answer.json()) as { client_id: string }).client_id;
});
afterAll(() => service.stop());

const send = (
  method: string,
  url: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  service.fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const manage = (method: string, path: string, body: object, session = ''): Promise<Response> =>
  send(method, `${service.baseUrl}/mcp-management${path}`, body, {
    ...(session && { authorization: `Bearer ${session}` }),
  });

const apiToken = async ({ email, password }: Person): Promise<string> => {
  const answer = await manage('POST', '/sessions', { email, password });
  return ((await answer.json()) as { access_token: string }).access_token;
};

/** A browser in which somebody has signed in. */
const browserOf = async ({ email, password }: Person) => {
  const browser = service.browser();
  const url = new URL(`${service.issuer}/authorize`);
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const page = await browser.submit(await browser.open(url), '/login', { email, password });
  return { browser, page };
};

/** Which of what only some are told a page tells; never a part of it. */
const isTold = (html: string): boolean => {
  const told = TOLD.filter((text) => html.includes(text));
  if (told.length > 0 && told.length < TOLD.length) throw new Error(`only ${told} is told`);
  return told.length > 0;
};

const tells = async (
  { url }: PublishedServer,
  headers: Record<string, string> = {},
): Promise<boolean> => {
  const answer = await service.fetch(`${url}/docs`, { headers });
  const html = await answer.text();
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(html).toContain(`${url}/messages`);
  return isTold(html);
};

const tellsIn = async (
  browser: ReturnType<WholeService['browser']>,
  { url }: PublishedServer,
): Promise<boolean> => isTold((await browser.open(`${url}/docs`)).html);

describe('the page of a protected deployment', () => {
  test.each(['oauth', 'jwt'])('shows strangers nothing of its tools in mode %s', async (mode) => {
    const server = await service.publish(owner, { authMethod: mode });

    expect(await tells(server)).toBe(false);
    expect(await tells(server, { authorization: `Bearer ${await apiToken(owner)}` })).toBe(false);
    expect(await tells(server, { cookie: `mcp-session=${await apiToken(owner)}` })).toBe(false);
  });

  test.each(['oauth', 'jwt'])('answers its owner, signed in, in mode %s', async (mode) => {
    const server = await service.publish(owner, { authMethod: mode, access: { mode: 'owner' } });
    const { browser } = await browserOf(owner);

    expect(await tellsIn(browser, server)).toBe(true);
  });

  test('answers others as its access policy says', async () => {
    const [guest, stranger] = [await service.person(), await service.person()];
    const access = { mode: 'allow_list', emails: [guest.email], domains: [] };
    const listed = await service.publish(owner, { access });
    const [guests, strangers] = [await browserOf(guest), await browserOf(stranger)];

    expect(await tellsIn(guests.browser, listed)).toBe(true);
    expect(await tellsIn(strangers.browser, listed)).toBe(false);
  });

  test('shows nothing from the logout on', async () => {
    const server = await service.publish(owner);
    const { browser, page } = await browserOf(owner);
    const cookie = /mcp-session=[^;]*/.exec(browser.cookies())?.[0] ?? '';
    expect(await tells(server, { cookie })).toBe(true);
    await browser.submit(page, '/logout');

    expect(await tells(server, { cookie })).toBe(false);
  });

  test('shows nothing from a password reset on', async () => {
    const person = await service.person();
    const server = await service.publish(person);
    const { browser } = await browserOf(person);
    expect(await tellsIn(browser, server)).toBe(true);
    await manage('POST', '/accounts/password-reset', { email: person.email });
    const mail = (await mailsAt(service)).findLast(({ to }) => to === person.email);
    const sent = { token: mail?.token, password: 'another umbrella, quite long' };
    expect((await manage('POST', '/accounts/password-reset/confirm', sent)).ok).toBe(true);

    expect(await tellsIn(browser, server)).toBe(false);
  });

  test('answers everybody once its owner opens it', async () => {
    const opened = await service.publish(owner, { docs: 'public' });
    const closed = await service.publish(owner);
    const session = await apiToken(owner);

    expect(await tells(opened)).toBe(true);
    const patched = await manage(
      'PATCH',
      `/deployments/${closed.slug}`,
      { docs: 'public' },
      session,
    );
    expect(await patched.json()).toMatchObject({ docs: 'public' });
    expect(await tells(closed)).toBe(true);
    expect(
      (await manage('PATCH', `/deployments/${closed.slug}`, { docs: 'all' }, session)).status,
    ).toBe(422);
  });

  test('answers everybody in mode none', async () => {
    expect(await tells(await service.publish(owner, { authMethod: 'none' }))).toBe(true);
  });
});
