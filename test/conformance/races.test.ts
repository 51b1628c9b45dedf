import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FormBrowser } from '../support/oauth/form-browser.ts';
import {
  aRawClient,
  type RawOAuthClient,
  type RawTokens,
} from '../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

const LIMIT = 20;

let service: WholeService;
let person: Person;
let server: PublishedServer;
let browser: FormBrowser;

beforeAll(async () => {
  await awayFromTheEndOfTheHour();
  service = await startWholeService({
    free_requests_per_hour: LIMIT,
    registration_per_hour_per_ip: LIMIT,
  });
  person = await service.person();
  server = await service.publish(person);
  browser = service.browser();
});
afterAll(() => service.stop());

/** Limits of an hour start anew with the hour: waits for the next if this one is about to end. */
const awayFromTheEndOfTheHour = async (): Promise<void> => {
  const left = 3_600_000 - (Date.now() % 3_600_000);
  if (left < 60_000) await setTimeout(left);
};

/** As many as the store of this machine takes on before it is too late for the last of them. */
const AT_ONCE = 50;

/** Acts so many times, `atOnce` of them at any moment. */
const inParallel = async <Result>(
  count: number,
  act: (index: number) => Promise<Result>,
  atOnce = AT_ONCE,
): Promise<readonly Result[]> => {
  const results: Result[] = [];
  let next = 0;
  const runner = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      results[index] = await act(index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runner));
  return results;
};

/** How many answers had each status. */
const tally = (answers: readonly Response[]): Readonly<Record<number, number>> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

let registered = 0;
const aClient = (method?: 'none' | 'client_secret_post'): Promise<RawOAuthClient> => {
  registered += 1;
  return aRawClient(service, method);
};

const tokensIn = async (answer: Response): Promise<RawTokens> => (await answer.json()) as RawTokens;

const userInfo = (accessToken: string): Promise<Response> =>
  service.fetch(`${service.issuer}/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });

const listTools = (accessToken: string): Promise<Response> =>
  service.fetch(server.messagesUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });

describe('an authorization code', () => {
  test('is redeemed once by 80 concurrent requests and then revokes its tokens', async () => {
    const client = await aClient();
    const code = await client.code(browser, person, server);

    const answers = await inParallel(80, () => client.redeem(code));

    expect(tally(answers)).toEqual({ 200: 1, 400: 79 });
    const winner = answers.find(({ ok }) => ok)!;
    const { access_token, refresh_token } = await tokensIn(winner);
    expect((await listTools(access_token)).status).toBe(401);
    expect((await client.refresh(refresh_token)).status).toBe(400);
  });
});

describe('a refresh token', () => {
  test('of a public client remains usable after 50 concurrent refreshes', async () => {
    const client = await aClient();
    const { refresh_token } = await client.tokens(browser, person, server);

    const answers = await inParallel(50, () => client.refresh(refresh_token));

    expect(tally(answers)).toEqual({ 200: 50 });
    const all = await Promise.all(answers.map(tokensIn));
    const opened = await inParallel(all.length, (index) =>
      userInfo(all[index]?.access_token ?? ''),
    );
    expect(tally(opened)).toEqual({ 200: 50 });
    // The last answer counts: it comes of repeating the request, as a client does whose answers were lost.
    const repeated = await tokensIn(await client.refresh(refresh_token));
    expect((await client.refresh(repeated.refresh_token)).status).toBe(200);
  });

  test('of a confidential client remains usable after 50 concurrent refreshes', async () => {
    const client = await aClient('client_secret_post');
    const { refresh_token } = await client.tokens(browser, person, server);

    expect(tally(await inParallel(50, () => client.refresh(refresh_token)))).toEqual({ 200: 50 });
    expect((await client.refresh(refresh_token)).status).toBe(200);
  });

  test('of each of 8 grants remains usable after 8 concurrent refreshes', async () => {
    const client = await aClient();
    const grants: RawTokens[] = [];
    for (let count = 0; count < 8; count += 1) {
      grants.push(await client.tokens(browser, person, server));
    }

    const answers = await inParallel(64, (index) =>
      client.refresh(grants[index % grants.length]?.refresh_token ?? ''),
    );

    expect(tally(answers)).toEqual({ 200: 64 });
    const latest = await Promise.all(answers.slice(-grants.length).map(tokensIn));
    const next = await inParallel(latest.length, (index) =>
      client.refresh(latest[index]?.refresh_token ?? ''),
    );
    expect(tally(next)).toEqual({ 200: grants.length });
  });
});

describe('a limit of 20 requests', () => {
  test('allows exactly 20 of 200 concurrent requests of a user', async () => {
    const client = await aClient();
    const { access_token } = await client.tokens(browser, person, server);

    const answers = await inParallel(200, () => listTools(access_token));

    expect(tally(answers)).toEqual({ 200: LIMIT, 429: 200 - LIMIT });
    const denied = answers.filter(({ status }) => status === 429);
    expect(denied.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
  });

  test('allows at most 20 of 400 concurrent registrations, however slow DynamoDB is', async () => {
    const body = JSON.stringify({ redirect_uris: ['https://app.example.com/callback'] });
    const headers = { 'content-type': 'application/json' };
    const register = () =>
      service.fetch(`${service.issuer}/register`, { method: 'POST', headers, body });

    const { 201: made = 0, ...refused } = tally(await inParallel(400, register, 400));

    expect(registered + made).toBeLessThanOrEqual(LIMIT);
    expect(Object.keys(refused)).toContain('429');
    expect(['429', '503']).toEqual(expect.arrayContaining(Object.keys(refused)));
  });
});
