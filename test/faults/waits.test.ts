import { randomUUID } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoLeases } from '../../layers/limits/store/leases.ts';
import { DEFAULT_LIMITS } from '../../layers/limits/rules/limits.ts';
import { startRouter } from '../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../support/mcp/router-events.ts';
import { anAccessToken, bearer } from '../support/mcp/router-tokens.ts';
import { anOAuthService, REDIRECT_URI } from '../support/oauth/oauth.ts';
import { jsonPost, oauth, sentFrom } from '../support/oauth/oauth-requests.ts';
import { anEvent } from '../support/mcp/router-events.ts';
import { aDescription } from '../support/openapi/descriptions.ts';
import { aManagementService, NOON, sessionToken } from '../support/service/management.ts';

const limits = { gallery_per_hour: 1, gallery_per_day: 1, active_deployments_per_user: 100 };
const management = await aManagementService({
  limits: { ...limits, trials_per_hour_per_user: 1, compilations_at_once_per_user: 1 },
});
const server = await anOAuthService({ limits: { registration_per_hour_per_ip: 1 } });
const router = await startRouter({ invalid_tokens_per_minute_per_ip: 1 });
const pets = await router.publish('pets', { authMethod: 'oauth', access: { mode: 'any_user' } });
await router.publish('open');
afterAll(async () => {
  await Promise.all([management.stop(), server.stop(), router.stop()]);
});
afterEach(() => {
  for (const { clock } of [management, server, router]) clock.time = NOON;
});

interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Something that is refused for now, or for ever, however long one waits. */
interface Waiting {
  /** The same request, whenever it is sent. */
  readonly send: () => Promise<Told>;
  readonly clock: { time: number };
  /** Whether waiting does not help. */
  readonly inVain?: true;
}

const toldOf = (reply: {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}): Told => ({ status: reply.statusCode, headers: reply.headers, text: reply.body });

const manage = async (
  path: string,
  body: object,
  { more = {}, as }: { more?: object; as?: Awaited<ReturnType<typeof management.owner>> } = {},
) => {
  const owner = as ?? (await management.owner({ plan: 'free' }));
  return {
    owner,
    clock: management.clock,
    send: async (): Promise<Told> => {
      const token = await sessionToken(management.arranging, owner.user);
      const answer = await management.call('POST', path, {
        as: { ...owner, token },
        body,
        ...more,
      });
      return { ...answer, text: JSON.stringify(answer.body) };
    },
  };
};
const ask = (sent: unknown, slug: string, headers = {}, address = anAddress()) => ({
  clock: router.clock,
  send: async () => toldOf(await router.send(post(at(slug, '/messages'), sent, headers, address))),
});
const many = (count: number) => Array.from({ length: count }, (_, id) => rpc('ping', {}, id + 1));

/** By the file that says the wait. */
const WAITS: Readonly<Record<string, readonly (readonly [string, () => Promise<Waiting>])[]>> = {
  'layers/api/steps/leased.ts': [
    [
      'what a function that died has left',
      async () => {
        const wanted = await manage('/deployments', {
          openapi: aDescription(),
          slug: `d-${randomUUID()}`,
        });
        const { store, clock } = management;
        const leases = dynamoLeases(
          store.instance(),
          store.tableName('limits'),
          { ...DEFAULT_LIMITS, compilations_at_once_per_user: 1 },
          { id: randomUUID },
        );
        await leases.take('compilations_at_once_per_user', wanted.owner.user.id, 30, NOON);
        clock.time = NOON + 7;
        return wanted;
      },
    ],
  ],
  'layers/api/steps/idempotency.ts': [
    [
      'a request whose function died',
      async () => {
        const headers = { 'idempotency-key': randomUUID() };
        const body = { openapi: aDescription(), slug: `d-${randomUUID()}` };
        const wanted = await manage('/deployments', body, { more: { headers } });
        management.store.aws.faults.inject({
          kind: 'fail',
          on: { operation: 'TransactWriteItems' },
        });
        await wanted.send();
        management.store.aws.faults.clear();
        management.clock.time = NOON + 7;
        return wanted;
      },
    ],
  ],
  'layers/servers/steps/deployments/deploy-from-gallery.ts': [
    [
      'two windows that are used up at once',
      async () => {
        const wanted = await manage('/gallery/xkcd/deployments', { slug: `d-${randomUUID()}` });
        await wanted.send();
        const another = await manage(
          '/gallery/xkcd/deployments',
          { slug: `d-${randomUUID()}` },
          { as: wanted.owner },
        );
        return another;
      },
    ],
  ],
  'layers/oauth/steps/count-request.ts': [
    [
      'registrations of one address',
      async () => {
        const event = sentFrom(
          anAddress(),
          jsonPost('/register', { redirect_uris: [REDIRECT_URI] }),
        );
        const send = async () => toldOf(await server.send(event));
        await send();
        return { send, clock: server.clock };
      },
    ],
  ],
  'layers/oauth/steps/tokens/describe-user.ts': [
    [
      'invalid tokens at userinfo',
      async () => {
        const event = sentFrom(
          anAddress(),
          anEvent('GET', oauth('/userinfo'), { headers: { authorization: 'Bearer wrong' } }),
        );
        const send = async () => toldOf(await server.send(event));
        for (let count = 0; count < 30; count += 1) await send();
        return { send, clock: server.clock };
      },
    ],
  ],
  'layers/mcp/steps/authentication/authenticate.ts': [
    [
      'invalid tokens',
      async () => {
        const wanted = ask(rpc('ping'), 'pets', bearer('mcp_access_wrong'));
        await wanted.send();
        return wanted;
      },
    ],
  ],
  'layers/mcp/steps/authentication/charge.ts': [
    [
      'requests of one address',
      async () => {
        const address = anAddress();
        await ask(many(60), 'open', {}, address).send();
        return ask(rpc('ping'), 'open', {}, address);
      },
    ],
    [
      'a batch that no minute allows',
      async () => ({ ...ask(many(61), 'open'), inVain: true as const }),
    ],
    [
      'the quota of a plan',
      async () => {
        const userId = randomUUID();
        const expiresAt = NOON + 90 * 86_400;
        const token = bearer(
          await anAccessToken(router, pets, { userId, plan: 'free', expiresAt }),
        );
        await ask(
          Array.from({ length: 20 }, (_, id) => rpc('prompts/list', {}, id)),
          'pets',
          token,
        ).send();
        return ask(rpc('tools/list'), 'pets', token);
      },
    ],
    [
      'a batch that no hour of a plan allows',
      async () => {
        const expiresAt = NOON + 90 * 86_400;
        const over = { userId: randomUUID(), plan: 'free', expiresAt } as const;
        const token = bearer(await anAccessToken(router, pets, over));
        const sent = Array.from({ length: 21 }, (_, id) => rpc('prompts/list', {}, id));
        return { ...ask(sent, 'pets', token), inVain: true };
      },
    ],
  ],
};

/** Where a wait is told that no request here leads to, or others tell. */
const TOLD_ELSEWHERE: Readonly<Record<string, string>> = {
  'layers/limits/steps/count-work.ts':
    'counts as the authorization server does; `leased` tells by it',
  'layers/accounts/steps/count-request.ts': 'the same, for accounts',
  'layers/accounts/steps/check-company.ts':
    'a company that does not answer: test/identity/routes/leavers.test.ts',
  'layers/identity/steps/company-standing.ts': 'the same',
  'layers/oauth/steps/tokens/token-request.ts': 'the same, at the token endpoint',
  'layers/accounts/steps/mail-tokens.ts':
    'as long as a link is held: test/faults/good-once.test.ts',
};

const sources = async (): Promise<readonly string[]> => {
  const files = await Array.fromAsync(glob('layers/*/steps/**/*.ts'));
  const told = files.map(async (file) =>
    (await readFile(file, 'utf8')).includes('retryAfterSeconds') ? [file] : [],
  );
  return (await Promise.all(told)).flat();
};

describe('a wait that is told', () => {
  test('is in this table, wherever it is told', async () => {
    const known = [...Object.keys(WAITS), ...Object.keys(TOLD_ELSEWHERE)];
    // The lease tells by what counts work.
    const all = [...(await sources()), 'layers/api/steps/leased.ts'];
    expect(new Set(all)).toEqual(new Set(known));
  });

  const rows = Object.values(WAITS)
    .flat()
    .map(([name, arrange]) => ({ name, arrange }));
  test.each(rows)('is one after which it works, and not before: $name', async ({ arrange }) => {
    const { send, clock, inVain } = await arrange();
    const refused = await send();
    const wait = refused.headers['retry-after'];
    if (inVain) {
      expect([refused.status, wait]).toEqual([429, undefined]);
      expect(refused.text).not.toMatch(/try again in/i);
      clock.time += 40 * 86_400;
      expect((await send()).status).toBe(429);
      return;
    }

    expect([429, 409]).toContain(refused.status);
    const seconds = Number(wait);
    expect(seconds).toBeGreaterThan(0);
    const [, said = wait] = /again in (\d+) seconds/.exec(refused.text) ?? [];
    const [, data = wait] = /"retry_after_seconds":(\d+)/.exec(refused.text) ?? [];
    expect([said, data]).toEqual([wait, wait]);
    const from = clock.time;
    clock.time = from + seconds - 1;
    expect((await send()).status).toBe(refused.status);
    clock.time = from + seconds;
    expect((await send()).status).not.toBe(refused.status);
  });
});
