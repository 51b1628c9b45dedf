import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inOneMinute } from '../../support/minute.ts';
import { fetchFrom, otherAddress } from '../../support/target/other-address.ts';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

const LIMIT = 5;
/** How many requests beyond the limit are watched. */
const REFUSED = 20;

let service: WholeService;
let person: Person;
let server: PublishedServer;
let token: string;
beforeAll(async () => {
  service = await startWholeService({ invalid_tokens_per_minute_per_ip: LIMIT });
  person = await service.person();
  server = await service.publish(person);
  const client = await aRawClient(service);
  ({ access_token: token } = await client.tokens(service.browser(), person, server));
});
afterAll(() => service.stop());

const show = (address: string, shown: string, { messagesUrl } = server): Promise<Response> =>
  fetchFrom(address, messagesUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${shown}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 'mine', method: 'tools/list' }),
  });

const aGuess = (): string => `mcp_access_${randomUUID()}`;

/** What the router has asked the store of tokens for. */
const looks = (): number =>
  service.aws.calls
    .list()
    .filter(({ caller, operation }) => caller === 'router' && operation === 'GetItem')
    .reduce((sum, { times }) => sum + times, 0);

const eventsOf = async (address: string, of = server) => {
  const { email, password } = person;
  const session = await service.fetch(`${service.baseUrl}/mcp-management/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access_token } = (await session.json()) as { access_token: string };
  const answer = await service.fetch(
    `${service.baseUrl}/mcp-management/deployments/${of.slug}/activity?type=security`,
    { headers: { authorization: `Bearer ${access_token}` } },
  );
  const { items } = (await answer.json()) as { items: Record<string, unknown>[] };
  return items
    .filter(({ subject, event }) => subject === address && event === 'authentication_failed')
    .map(({ count, why }) => ({ count, why }));
};

describe('an address that guesses tokens', () => {
  test('is refused from the one beyond the limit, without a look at a table, and others are not', async () => {
    await inOneMinute();
    const guesser = otherAddress(77);
    const statuses = [];
    for (let count = 0; count <= LIMIT; count += 1) {
      statuses.push((await show(guesser, aGuess())).status);
    }
    expect(statuses).toEqual([...Array(LIMIT).fill(401), 429]);

    const before = looks();
    const refused = await show(guesser, aGuess());
    const waits = await show(guesser, token);
    for (let count = 2; count < REFUSED; count += 1) await show(guesser, aGuess());
    // What the router knows of a deployment it reads again after a while: that may fall in between.
    expect(looks() - before).toBeLessThan(REFUSED / 2);
    expect([refused.status, waits.status]).toEqual([429, 429]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      jsonrpc: '2.0',
      id: 'mine',
      error: { code: -32000, data: { reason: 'rate_limited' } },
    });
    expect((await show(otherAddress(78), token)).status).toBe(200);
  });

  test('keeps out neither a token that was good there before, nor anybody at another server', async () => {
    const other = await service.publish(person);
    await inOneMinute();
    const office = otherAddress(82);
    const client = await aRawClient(service);
    const { access_token: good } = await client.tokens(service.browser(), person, server);
    expect((await show(otherAddress(83), good)).status).toBe(200);

    for (let count = 0; count <= LIMIT; count += 1) await show(office, aGuess());

    expect((await show(office, aGuess())).status).toBe(429);
    expect((await show(office, good)).status).toBe(200);
    expect((await show(office, good, other)).status).toBe(401);
    expect((await show(office, aGuess(), other)).status).toBe(401);
    // Shown where it opens nothing, it is as good as before where it does.
    expect((await show(office, good)).status).toBe(200);
  });

  test('may not go on with a token that was good there and has ended', async () => {
    await inOneMinute();
    const office = otherAddress(84);
    const client = await aRawClient(service);
    const { access_token: good } = await client.tokens(service.browser(), person, server);
    expect((await show(office, good)).status).toBe(200);
    for (let count = 0; count <= LIMIT; count += 1) await show(office, aGuess());
    const body = new URLSearchParams({ token: good });
    await service.fetch(`${service.issuer}/revoke`, { method: 'POST', body });

    // Once its client is told, so that it refreshes.
    expect((await show(office, good)).status).toBe(401);
    expect((await show(office, good)).status).toBe(429);
    const before = looks();
    for (let count = 0; count < REFUSED; count += 1) await show(office, good);
    expect(looks() - before).toBeLessThan(REFUSED / 2);
  });

  test('is one event of each deployment for its owner, with a count', async () => {
    const other = await service.publish(person);
    await inOneMinute();
    const guesser = otherAddress(79);
    for (let count = 0; count < LIMIT - 1; count += 1) await show(guesser, aGuess());
    await show(guesser, 'no token at all', other);
    for (let count = 0; count < 20; count += 1) await show(guesser, aGuess());

    expect(await eventsOf(guesser)).toEqual([{ count: LIMIT, why: 'unknown token' }]);
    expect(await eventsOf(guesser, other)).toEqual([{ count: 1, why: 'not an access token' }]);
  });

  test('is refused at /userinfo too', async () => {
    await inOneMinute();
    const guesser = otherAddress(80);
    const statuses = [];
    for (let count = 0; count <= LIMIT; count += 1) {
      const headers = { authorization: `Bearer ${aGuess()}` };
      statuses.push((await fetchFrom(guesser, `${service.issuer}/userinfo`, { headers })).status);
    }

    expect(statuses).toEqual([...Array(LIMIT).fill(401), 429]);
  });

  test('loses nothing by requests without a token', async () => {
    await inOneMinute();
    const forgetful = otherAddress(81);
    for (let count = 0; count <= LIMIT; count += 1) {
      const answer = await fetchFrom(forgetful, server.messagesUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(answer.status).toBe(401);
    }

    expect((await show(forgetful, token)).status).toBe(200);
  });
});
