import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/core/domain/deployments/deployment.ts';
import { NOON } from '../../adapters/dynamodb/fixtures.ts';
import { modernPost } from '../../support/modern-requests.ts';
import { startRouter, type TestRouter } from '../../support/router.ts';
import { at, post, rpc } from '../../support/router-events.ts';
import { anAccessToken, bearer, usageOf } from '../../support/router-tokens.ts';

let router: TestRouter;
const served: Record<string, Deployment> = {};

beforeAll(async () => {
  router = await startRouter();
  const over = { authMethod: 'oauth', access: { mode: 'any_user' } } as const;
  served['pets'] = await router.publish('pets', over);
  served['searched'] = await router.publish('searched', {
    ...over,
    publication: { toolMode: 'search' },
  });
});

afterAll(() => router.stop());

const deployed = (slug: string): Deployment => {
  const deployment = served[slug];
  if (!deployment) throw new Error(`${slug} is not published`);
  return deployment;
};

/** A user whose plan has nothing left in this hour. */
const spent = async (slug: string) => {
  const userId = randomUUID();
  await router.ports.usage.take(usageOf(userId), 'free', 20, NOON);
  return bearer(await anAccessToken(router, deployed(slug), { userId, plan: 'free' }));
};

const callOf = (name: string, args: object = { id: 1 }) =>
  rpc('tools/call', { name, arguments: args });

/** What is on record of what was sent. */
const recordsOf = async (send: () => Promise<{ readonly statusCode: number }>, status: number) => {
  const before = router.lines.length;
  expect((await send()).statusCode).toBe(status);
  return router.lines.slice(before).filter(({ message }) => message === 'tool_call');
};

const CANARY = 'aeRoh7ohquee8';

describe('a call that is refused before anything of its request is carried out', () => {
  test('for the plan is on record, with who made it and nothing of its arguments', async () => {
    const token = await spent('pets');
    const sent = callOf('getPet', { id: CANARY });
    const records = await recordsOf(
      () => router.send(post(at('pets', '/messages'), sent, token)),
      429,
    );

    expect(records).toEqual([
      expect.objectContaining({
        tool: 'getPet',
        outcome: 'refused',
        reason: 'rate_limited',
        version: deployed('pets').version,
        duration_ms: 0,
        subject: expect.any(String),
        request_id: expect.any(String),
      }),
    ]);
    expect(JSON.stringify(router.lines)).not.toContain(CANARY);
  });

  test('for a scope is on record', async () => {
    const token = bearer(
      await anAccessToken(router, deployed('pets'), { scopes: ['mcp.tools.read'] }),
    );
    const records = await recordsOf(
      () => router.send(post(at('pets', '/messages'), callOf('getPet'), token)),
      403,
    );

    expect(records).toMatchObject([{ tool: 'getPet', reason: 'insufficient_scope' }]);
  });

  test('in a version without a handshake is on record', async () => {
    const token = await spent('pets');
    const params = { name: 'addPet', arguments: {} };
    const records = await recordsOf(
      () => router.send(modernPost(at('pets', '/messages'), 'tools/call', params, token)),
      429,
    );

    expect(records).toMatchObject([{ tool: 'addPet', outcome: 'refused' }]);
  });

  test('in a batch is on record call by call, and nothing else of the batch', async () => {
    const token = await spent('pets');
    const batch = [callOf('getPet'), rpc('tools/list'), callOf('noSuchTool'), callOf('addPet')];
    const records = await recordsOf(
      () => router.send(post(at('pets', '/messages'), batch, token)),
      429,
    );

    expect(records).toMatchObject([
      { tool: 'getPet', index: 0 },
      { tool: 'addPet', index: 3 },
    ]);
  });

  test('in search mode is on record by the operation that it names', async () => {
    const token = await spent('searched');
    const send = (sent: object) => () =>
      router.send(post(at('searched', '/messages'), sent, token));
    const inner = (name: string) => callOf('call_operation', { name, arguments: { id: 1 } });

    expect(await recordsOf(send(inner('getPet')), 429)).toMatchObject([{ tool: 'getPet' }]);
    expect(await recordsOf(send(inner(CANARY)), 429)).toMatchObject([{ tool: 'call_operation' }]);
    expect(await recordsOf(send(callOf('getPet')), 429)).toEqual([]);
  });

  test('is on record no more than 20 times a minute of one caller, and of the next one all the same', async () => {
    const token = await spent('pets');
    const sendThirty = async () => {
      for (let sent = 0; sent < 30; sent += 1) {
        await router.send(post(at('pets', '/messages'), callOf('getPet'), token));
      }
      return { statusCode: 429 };
    };

    expect(await recordsOf(sendThirty, 429)).toHaveLength(20);
    const other = await spent('pets');
    const again = () => router.send(post(at('pets', '/messages'), callOf('getPet'), other));
    expect(await recordsOf(again, 429)).toHaveLength(1);
  });

  test.each([[{ name: 7 }], [{}], ['no object'], [null]])(
    'leaves no record where it names no tool: %j',
    async (params) => {
      const token = await spent('pets');
      const sent = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const send = () => router.send(post(at('pets', '/messages'), sent, token));
      expect(await recordsOf(send, 429)).toEqual([]);
    },
  );
});
