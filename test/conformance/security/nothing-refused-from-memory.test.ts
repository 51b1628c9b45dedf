import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let owner: Person;
let guest: Person;
let session: string;
beforeAll(async () => {
  service = await startWholeService();
  owner = await service.person();
  guest = await service.person();
});
afterAll(() => service.stop());
beforeEach(async () => {
  const { email, password } = owner;
  const answer = await manage('POST', '/sessions', { email, password });
  ({ access_token: session } = (await answer.json()) as { access_token: string });
});

const manage = (method: string, path: string, body: object): Promise<Response> =>
  service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${session}` },
    body: JSON.stringify(body),
  });

const change = async ({ slug }: PublishedServer, fields: object): Promise<void> => {
  const { status } = await manage('PATCH', `/deployments/${slug}`, fields);
  expect(status).toBe(200);
};

const ask = (
  { messagesUrl }: PublishedServer,
  token = '',
  method = 'tools/list',
  params: object = {},
): Promise<Response> =>
  service.fetch(messagesUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
const statusOf = async (...asked: Parameters<typeof ask>): Promise<number> =>
  (await ask(...asked)).status;

const tokensOf = async (server: PublishedServer) => {
  const client = await aRawClient(service);
  const tokens = await client.tokens(service.browser(), guest, server);
  return { client, token: tokens.access_token, refreshToken: tokens.refresh_token };
};

/** How often a deployment is read again at most. */
const A_SECOND = 1001;

/** Has the router read it again, and so know what it is to forget: an unknown token does that. */
const remind = async (server: PublishedServer): Promise<void> => {
  await setTimeout(A_SECOND);
  await ask(server, `mcp_access_${randomUUID()}`);
};

describe('what an owner opens is open at once, for', () => {
  test('somebody who was not in the access policy', async () => {
    const server = await service.publish(owner);
    const { token } = await tokensOf(server);
    expect(await statusOf(server, token)).toBe(200);
    await change(server, { access: { mode: 'owner' } });
    await remind(server);
    expect(await statusOf(server, token)).toBe(401);

    await change(server, { access: { mode: 'any_user' } });
    await setTimeout(A_SECOND);

    expect(await statusOf(server, token)).toBe(200);
  });

  test('somebody whose client refreshes', async () => {
    const server = await service.publish(owner);
    const { client, refreshToken } = await tokensOf(server);
    await change(server, { access: { mode: 'owner' } });
    await setTimeout(16_000);
    expect((await client.refresh(refreshToken)).status).toBe(400);

    await change(server, { access: { mode: 'any_user' } });
    await setTimeout(A_SECOND);

    expect((await client.refresh(refreshToken)).status).toBe(200);
  });

  test('everybody at a deployment that was paused', async () => {
    const server = await service.publish(owner, { authMethod: 'none' });
    await change(server, { status: 'paused' });
    expect(await statusOf(server)).toBe(404);

    await change(server, { status: 'active' });
    await setTimeout(A_SECOND);

    expect(await statusOf(server)).toBe(200);
  });

  test('everybody at a deployment that asks for no token any more', async () => {
    const server = await service.publish(owner);
    expect(await statusOf(server)).toBe(401);

    await change(server, { mcp_auth_method: 'none' });
    await setTimeout(A_SECOND);

    expect(await statusOf(server)).toBe(200);
  });

  test('whoever calls a tool of the new version, or calls one as it is described now', async () => {
    const described = (operations: object) =>
      JSON.stringify(aDescription(['x'], { servers: [{ url: API }], paths: operations }));
    const api = new URL(service.baseUrl);
    const API = `http://127.0.0.1:${(Number(api.port) + 1) % 65_536}`;
    const parameter = (type: string) => ({ name: 'q', in: 'query', schema: { type } });
    const server = await service.publish(owner, {
      authMethod: 'none',
      apiBaseUrl: API,
      openapi: described({
        '/x': { get: { operationId: 'old', parameters: [parameter('integer')], responses: {} } },
      }),
    });
    const errorOf = async (name: string, args: object) => {
      const answer = await ask(server, '', 'tools/call', { name, arguments: args });
      const { error } = (await answer.json()) as { error?: { code: number } };
      return error?.code;
    };
    expect(await errorOf('fresh', {})).toBe(-32602);
    expect(await errorOf('old', { q: 'text' })).toBe(-32602);

    const openapi = described({
      '/x': { get: { operationId: 'old', parameters: [parameter('string')], responses: {} } },
      '/y': { get: { operationId: 'fresh', responses: {} } },
    });
    const { status } = await manage('PUT', `/deployments/${server.slug}/openapi`, { openapi });
    expect(status).toBe(200);
    await setTimeout(A_SECOND);

    // Nobody answers there: the calls were taken, and sent.
    expect(await errorOf('fresh', {})).toBe(-32000);
    expect(await errorOf('old', { q: 'text' })).toBe(-32000);
    expect(await errorOf('neither', {})).toBe(-32602);
  });
});
