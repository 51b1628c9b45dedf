import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { server } from '../../../layers/mcp/routes/server.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { META, modernPost } from '../../support/mcp/modern-requests.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, get, post, rpc } from '../../support/mcp/router-events.ts';
import { anAccessToken, bearer, usageOf } from '../../support/mcp/router-tokens.ts';

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

  test('in a version that is not served is on record', async () => {
    const token = bearer(await anAccessToken(router, deployed('pets')));
    const headers = { ...token, 'mcp-protocol-version': '2026-12-01' };
    const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2026-12-01' };
    const sent = rpc('tools/call', { name: 'getPet', arguments: {}, _meta: meta });
    const send = () => router.send(post(at('pets', '/messages'), sent, headers));

    expect(await recordsOf(send, 400)).toMatchObject([
      { tool: 'getPet', outcome: 'refused', reason: 'unsupported_protocol_version' },
    ]);
  });

  test('in a version that was withdrawn is on record', async () => {
    const settings = { ...router.ports.settings, protocolVersions: ['2025-03-26'] as const };
    const withdrawn = server({ ...router.ports, settings });
    const token = bearer(await anAccessToken(router, deployed('pets')));
    const params = { name: 'getPet', arguments: {} };
    const send = () => withdrawn(modernPost(at('pets', '/messages'), 'tools/call', params, token));

    expect(await recordsOf(send, 400)).toMatchObject([
      { tool: 'getPet', outcome: 'refused', reason: 'unsupported_protocol_version' },
    ]);
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

describe('a page in a browser that is refused for its origin', () => {
  const page = { origin: 'https://elsewhere.example' };
  const fromPage = (slug: string, sent: unknown) => () =>
    router.send(post(at(slug, '/messages'), sent, page));

  beforeAll(async () => {
    const allowedOrigins = ['https://app.example'];
    served['listed'] = await router.publish('listed', { authMethod: 'oauth', allowedOrigins });
    served['flooded'] = await router.publish('flooded', { authMethod: 'oauth', allowedOrigins });
  });

  test('is on record by the method that it sent, with its origin and its address', async () => {
    expect(await recordsOf(fromPage('listed', rpc('initialize', {})), 403)).toEqual([
      expect.objectContaining({
        tool: 'initialize',
        without_tool: true,
        outcome: 'refused',
        reason: 'forbidden_origin',
        origin: 'https://elsewhere.example',
        subject: expect.stringMatching(/^198\.51\./),
        duration_ms: 0,
      }),
    ]);
  });

  test('is on record by the tool where it calls one, with nothing of its arguments', async () => {
    const sent = callOf('getPet', { id: CANARY });

    const records = await recordsOf(fromPage('listed', sent), 403);
    expect(records).toMatchObject([{ tool: 'getPet' }]);
    expect(records).not.toMatchObject([{ without_tool: true }]);
    expect(JSON.stringify(router.lines)).not.toContain(CANARY);
  });

  test.each([
    ['a method that there is not', rpc(CANARY)],
    ['no JSON', CANARY],
    ['a notification', { jsonrpc: '2.0', method: 'initialize' }],
  ])('leaves no record where it sends %s', async (_, sent) => {
    expect(await recordsOf(fromPage('listed', sent), 403)).toEqual([]);
  });

  test('leaves no record where it only looks', async () => {
    const headers = { ...page, accept: 'text/event-stream' };
    const listening = () => router.send(get(at('listed', '/messages'), headers));

    expect(await recordsOf(listening, 403)).toEqual([]);
  });

  test('is on record no more than 20 times a minute of one server, from whatever addresses', async () => {
    const sendThirty = async () => {
      for (let sent = 0; sent < 30; sent += 1) await fromPage('flooded', rpc('initialize', {}))();
      return { statusCode: 403 };
    };

    expect(await recordsOf(sendThirty, 403)).toHaveLength(20);
    expect(await recordsOf(fromPage('listed', rpc('ping')), 403)).toHaveLength(1);
  });
});
