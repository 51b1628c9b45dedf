import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inOneMinute } from '../../support/minute.ts';
import { fetchFrom, otherAddress } from '../../support/target/other-address.ts';
import { aRawClient, type RawOAuthClient } from '../../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

const LIMIT = 3;

let service: WholeService;
let person: Person;
let server: PublishedServer;
beforeAll(async () => {
  service = await startWholeService({
    authorize_per_minute_per_client: LIMIT,
    token_per_minute_per_client: LIMIT,
  });
  person = await service.person();
  server = await service.publish(person);
});
afterAll(() => service.stop());

const STRANGER = otherAddress(66);

/** What whoever has read a `client_id` can send, so many times. */
const junk = async (
  { id }: Pick<RawOAuthClient, 'id'>,
  times: number,
  address = STRANGER,
  proof: Readonly<Record<string, string>> = {},
): Promise<readonly number[]> => {
  const statuses = [];
  for (let count = 0; count < times; count += 1) {
    const sent = { grant_type: 'refresh_token', refresh_token: 'junk', client_id: id, ...proof };
    const answer = await fetchFrom(address, `${service.issuer}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(sent).toString(),
    });
    statuses.push(answer.status);
  }
  return statuses;
};

describe('a stranger who sends junk with the client_id of somebody else', () => {
  test.each(['none', 'client_secret_post'] as const)(
    'is refused, and the client gets its tokens: %s',
    async (method) => {
      await inOneMinute();
      const client = await aRawClient(service, method);
      const code = await client.code(service.browser(), person, server);

      const statuses = await junk(client, LIMIT + 1);

      expect(statuses).toEqual([...Array(LIMIT).fill(method === 'none' ? 400 : 401), 429]);
      expect((await client.redeem(code)).status).toBe(200);
    },
  );

  test('is refused whichever clients with metadata documents he makes up', async () => {
    await inOneMinute();
    const statuses = [];
    for (let count = 0; count <= LIMIT; count += 1) {
      const id = `https://app.example.com/made-up/${count}.json`;
      statuses.push(...(await junk({ id }, 1, otherAddress(67))));
    }

    expect(statuses).toEqual([...Array(LIMIT).fill(400), 429]);
  });

  test('is refused at /authorize, and users of the client are let in', async () => {
    await inOneMinute();
    const client = await aRawClient(service);
    const statuses = [];
    for (let count = 0; count <= LIMIT; count += 1) {
      statuses.push((await fetchFrom(STRANGER, client.address(server).href)).status);
    }

    expect(statuses).toEqual([...Array(LIMIT).fill(200), 429]);
    expect(await client.code(service.browser(), person, server)).toMatch(/^mcp_code_/);
  });
});

describe('a confidential client that has authenticated', () => {
  test('has one allowance, from wherever it asks', async () => {
    await inOneMinute();
    const client = await aRawClient(service, 'client_secret_post');
    const proof = { client_secret: client.secret ?? '' };
    const statuses = [];
    for (let last = 2; last <= LIMIT + 2; last += 1) {
      statuses.push(...(await junk(client, 1, otherAddress(last), proof)));
    }

    expect(statuses).toEqual([...Array(LIMIT).fill(400), 429]);
  });
});
