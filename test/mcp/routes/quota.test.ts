import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { externalUserId } from '../../../layers/platform/rules/subject.ts';
import type { Plan } from '../../../layers/limits/rules/plan.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { anIssuer } from '../../support/oauth/jwt-issuer.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, get, post, rpc } from '../../support/mcp/router-events.ts';
import { aMintedToken, anAccessToken, bearer, usageOf } from '../../support/mcp/router-tokens.ts';
import { EVENT_LINE } from '../../support/event-line.ts';

let router: TestRouter;
let pets: Deployment;

beforeAll(async () => {
  router = await startRouter();
  pets = await router.publish('pets', { authMethod: 'oauth', access: { mode: 'any_user' } });
});

afterEach(() => {
  router.clock.time = NOON;
  router.store.aws.faults.clear();
});
afterAll(() => router.stop());

/** A user who has so many requests left in this hour, of 20 a free one has. */
const aUser = async (left = 20, plan: Plan = 'free') => {
  const userId = randomUUID();
  if (left < 20) await router.ports.usage.take(usageOf(userId), plan, 20 - left, NOON);
  const token = await anAccessToken(router, pets, { userId, plan, expiresAt: NOON + 90 * 86_400 });
  return {
    userId,
    say: (sent: unknown, end = '/messages') =>
      router.send(post(at('pets', end), sent, bearer(token))),
    list: () => router.send(get(at('pets', '/tool'), bearer(token))),
    used: () => router.ports.usage.read(usageOf(userId), 'free', router.clock.now()),
  };
};
const requests = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => rpc('prompts/list', {}, first + index));

describe('the quota of the free plan', () => {
  test('allows 20 requests an hour', async () => {
    const { say, used } = await aUser(1);

    expect((await say(rpc('tools/list'))).statusCode).toBe(200);
    expect((await say(rpc('tools/list'))).statusCode).toBe(429);
    expect(await used()).toEqual({ hour: 20, month: 20 });
  });

  test('answers 429 with Retry-After and an error with the request id', async () => {
    const { say } = await aUser(0);
    router.clock.time = NOON + 600;
    const { statusCode, headers, body } = await say(rpc('tools/list', {}, 'mine'));

    expect(statusCode).toBe(429);
    expect(headers['retry-after']).toBe('3000');
    expect(JSON.parse(body)).toEqual({
      jsonrpc: '2.0',
      id: 'mine',
      error: {
        code: -32000,
        message: "The plan's limit of 20 requests per hour is reached. Try again in 3000 seconds.",
        data: { reason: 'rate_limited', retry_after_seconds: 3000 },
      },
    });
    expect(router.lines.at(-1)).toMatchObject({
      outcome: 'rate_limited',
      why: 'free_requests_per_hour',
    });
  });

  test('allows requests again from the first second of the next hour', async () => {
    const { say } = await aUser(0);
    router.clock.time = NOON + 3599;
    expect((await say(rpc('tools/list'))).statusCode).toBe(429);
    router.clock.time = NOON + 3600;

    expect((await say(rpc('tools/list'))).statusCode).toBe(200);
  });

  test('allows 1,000 requests a month', async () => {
    const { userId, say } = await aUser();
    for (let hour = 1; hour <= 50; hour++) {
      await router.ports.usage.take(
        usageOf(userId),
        'free',
        hour === 50 ? 19 : 20,
        NOON + hour * 3600,
      );
    }
    router.clock.time = NOON + 51 * 3600;
    expect((await say(rpc('tools/list'))).statusCode).toBe(200);
    const { statusCode, headers, body } = await say(rpc('tools/list'));

    expect(statusCode).toBe(429);
    expect(body).toContain("The plan's limit of 1000 requests per month is reached.");
    // The first of December.
    expect(Number(headers['retry-after'])).toBe(Date.UTC(2026, 11, 1) / 1000 - router.clock.time);
  });

  test('counts all tokens and addresses of a user together', async () => {
    const userId = randomUUID();
    const statuses: number[] = [];
    for (let times = 0; times < 21; times++) {
      const token = await anAccessToken(router, pets, { userId, plan: 'free' });
      const { statusCode } = await router.send(
        post(at('pets', '/messages'), rpc('prompts/list'), bearer(token)),
      );
      statuses.push(statusCode);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  });

  test('counts all deployments together', async () => {
    const cats = await router.publish('cats', {
      authMethod: 'oauth',
      access: { mode: 'any_user' },
    });
    const { userId } = await aUser(0);
    const token = await anAccessToken(router, cats, { userId, plan: 'free' });

    expect(
      (await router.send(post(at('cats', '/messages'), rpc('tools/list'), bearer(token))))
        .statusCode,
    ).toBe(429);
  });

  test('is separate for each user', async () => {
    await aUser(0);
    const { say } = await aUser();

    expect((await say(rpc('tools/list'))).statusCode).toBe(200);
  });

  test('allows exactly 20 of 60 concurrent requests', async () => {
    const { say } = await aUser();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, id) => say(rpc('prompts/list', {}, id))),
    );

    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(40);
  });
});

describe('the quota of the pro plan', () => {
  test('allows 1,000 requests an hour', async () => {
    const { userId, say } = await aUser(20, 'pro');
    await router.ports.usage.take(usageOf(userId), 'pro', 999, NOON);

    expect((await say(rpc('tools/list'))).statusCode).toBe(200);
    const { statusCode, body } = await say(rpc('tools/list'));
    expect(statusCode).toBe(429);
    expect(body).toContain("The plan's limit of 1000 requests per hour is reached.");
  });
});

describe('a batch at the quota', () => {
  test('counts per message, without pings and notifications', async () => {
    const { say, used } = await aUser();
    const { statusCode } = await say([
      ...requests(2),
      rpc('ping', {}, 8),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
      7,
    ]);

    expect(statusCode).toBe(200);
    expect((await used()).hour).toBe(3);
  });

  test('is refused as a whole where it would cross the quota, and nothing is executed', async () => {
    const { say, used } = await aUser(2);
    const before = router.target.seen.length;
    const call = rpc('tools/call', { name: 'nothing' }, 'a');
    const { statusCode, headers, body } = await say([call, ...requests(2, 2)]);

    expect([statusCode, headers['retry-after']]).toEqual([429, '3600']);
    expect(JSON.parse(body)).toMatchObject([
      { id: 'a', error: { code: -32000 } },
      { id: 2, error: { code: -32000 } },
      { id: 3, error: { code: -32000 } },
    ]);
    expect(router.target.seen).toHaveLength(before);
    expect((await used()).hour).toBe(18);
  });

  test('is executed where it just fits', async () => {
    const { say } = await aUser(2);
    expect((await say(requests(2))).statusCode).toBe(200);
  });
});

describe('messages that the quota does not count', () => {
  test.each([
    ['ping', rpc('ping'), 200],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 202],
  ])('include %s', async (_, sent, statusCode) => {
    const { say, used } = await aUser(0);

    expect((await say(sent)).statusCode).toBe(statusCode);
    expect((await used()).hour).toBe(20);
  });
});

describe('requests that the quota counts once', () => {
  test.each([
    ['initialize', rpc('initialize', { protocolVersion: '2025-03-26' }), '/messages'],
    ['an unknown method', rpc('no/such'), '/messages'],
    ['malformed JSON', '{', '/messages'],
    ['a request at the base URL', rpc('tools/list'), ''],
    ['a legacy call', { name: 'nothing' }, '/tool'],
    ['JSON-RPC at the legacy endpoint', rpc('tools/list'), '/tool'],
  ])('include %s', async (_, sent, end) => {
    const { say, used } = await aUser();
    await say(sent, end);

    expect(await used()).toEqual({ hour: 1, month: 1 });
  });

  test('include a legacy list of tools', async () => {
    const { list, used } = await aUser(1);

    expect((await list()).statusCode).toBe(200);
    expect((await list()).statusCode).toBe(429);
    expect((await used()).hour).toBe(20);
  });
});

describe('the warning at 80 percent of a quota', () => {
  test('is logged once as an event', async () => {
    const { userId, say } = await aUser(5);
    const before = router.lines.length;
    for (let times = 0; times < 6; times++) await say(rpc('tools/list'));

    expect(router.lines.slice(before).filter(({ type }) => type === 'quota_warning')).toEqual([
      {
        ...EVENT_LINE,
        type: 'quota_warning',
        deployment_id: 'dep-pets',
        slug: 'pets',
        subject: userId,
        plan: 'free',
        window: 'hour',
        limit: 20,
      },
    ]);
  });

  test('is not logged one request earlier', async () => {
    const { say } = await aUser(6);
    const before = router.lines.length;
    await say(rpc('tools/list'));
    expect(router.lines.slice(before).filter(({ type }) => type === 'quota_warning')).toEqual([]);
    await say(rpc('tools/list'));

    expect(router.lines.slice(before).filter(({ type }) => type === 'quota_warning')).toHaveLength(
      1,
    );
  });
});

describe('the quota of a jwt deployment', () => {
  const usedBy = (subject: string) => router.ports.usage.read(subject, 'free', NOON);

  test('counts requests with minted tokens for the owner', async () => {
    const ownerId = randomUUID();
    const deployment = await router.publish('minted', { authMethod: 'jwt', ownerId });
    const { text } = await aMintedToken(router, deployment);
    await router.ports.usage.take(ownerId, 'free', 19, NOON);
    const status = async () =>
      (await router.send(post(at('minted', '/messages'), rpc('tools/list'), bearer(text))))
        .statusCode;

    expect(await status()).toBe(200);
    expect(await status()).toBe(429);
    expect((await usedBy(ownerId)).hour).toBe(20);
  });

  test("counts requests of an external issuer for each of its users, on the owner's plan", async () => {
    await using issuer = await anIssuer();
    const ownerId = randomUUID();
    await router.publish('trusting', { authMethod: 'jwt', ownerId, jwtIssuer: issuer.config });
    const statuses = async (sub: string, times: number) => {
      const token = await issuer.sign({ sub });
      const found: number[] = [];
      for (let time = 0; time < times; time++) {
        const event = post(at('trusting', '/messages'), rpc('tools/list'), bearer(token));
        found.push((await router.send(event)).statusCode);
      }
      return found;
    };

    expect(await statuses('ann', 2)).toEqual([200, 200]);
    expect(await statuses('bob', 1)).toEqual([200]);
    const { issuer: name } = issuer.config;
    expect((await usedBy(externalUserId(name, 'ann'))).hour).toBe(2);
    expect((await usedBy(externalUserId(name, 'bob'))).hour).toBe(1);
    expect((await usedBy(ownerId)).hour).toBe(0);

    // Of another owner's deployments.
    await router.ports.usage.take(externalUserId(name, 'ann'), 'free', 17, NOON);
    expect(await statuses('ann', 2)).toEqual([200, 429]);
    expect(await statuses('bob', 1)).toEqual([200]);
  });

  test('counts all subjects of external issuers together too', async () => {
    await using issuer = await anIssuer();
    const owned = { authMethod: 'jwt', ownerId: randomUUID(), jwtIssuer: issuer.config } as const;
    const [one, other] = [
      await router.publish('total-one', owned),
      await router.publish('total-other', owned),
    ];
    const statusOf = async ({ slug }: Deployment) => {
      const token = await issuer.sign({ sub: randomUUID() });
      const event = post(at(slug, '/messages'), rpc('tools/list'), bearer(token));
      const { statusCode, body } = await router.send(event);
      said = String(body);
      return statusCode;
    };
    let said = '';
    const statuses = [];
    for (let times = 0; times < 20; times += 1) statuses.push(await statusOf(one));

    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    expect([await statusOf(one), await statusOf(other)]).toEqual([429, 429]);
    expect(said).toContain(
      'The limit of 20 requests per hour is reached by all callers of this issuer together.',
    );
    expect((await usedBy(owned.ownerId)).hour).toBe(0);
    expect(
      router.lines.filter(
        ({ type, subject }) => type === 'quota_warning' && subject === owned.ownerId,
      ),
    ).toHaveLength(1);
  });
});

describe('a failing DynamoDB table of quotas', () => {
  test.each(['throttle', 'fail', 'drop'] as const)(
    'lets no request pass uncounted: %s',
    async (kind) => {
      const { say } = await aUser();
      const before = router.target.seen.length;
      router.store.aws.faults.inject({ kind, on: { operation: 'UpdateItem' } });
      const { statusCode, headers } = await say(rpc('tools/call', { name: 'nothing' }));

      expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
      expect(router.target.seen).toHaveLength(before);
    },
  );
});
