import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aStrictProvider, CLIENT_SECRET } from '../support/oauth/connections.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

let service: WholeService;
let api: TargetServer;
let provider: Awaited<ReturnType<typeof aStrictProvider>>;
let session = '';
beforeAll(async () => {
  [service, provider, api] = await Promise.all([
    startWholeService(),
    aStrictProvider(),
    anHttpServer(({ headers }, response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ seen: headers.authorization })),
    ),
  ]);
  const { email, password } = await service.person();
  session = String((await manage('POST', '/sessions', { email, password }))['access_token']);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
  await api[Symbol.asyncDispose]();
});

const manage = async (method: string, path: string, body?: object) => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(session !== '' && { authorization: `Bearer ${session}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
};

const call = async (slug: string): Promise<string> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-router/${slug}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'orders', arguments: {} },
    }),
  });
  return answer.text();
};

test('an API behind a strict authorization server is called with one token, which stays where it belongs', async () => {
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'Orders', version: '1' },
    servers: [{ url: api.url }],
    paths: { '/orders': { get: { operationId: 'orders', responses: {} } } },
  };
  await manage('POST', '/deployments', { slug: 'orders', openapi, mcp_auth_method: 'none' });
  const set = await manage('PUT', '/deployments/orders/credential', {
    type: 'oauth_client',
    issuer: provider.issuer,
    client_id: 'post',
    client_auth: 'post',
    client_secret: CLIENT_SECRET,
    scopes: ['orders:read'],
  });
  expect(set['warnings']).toHaveLength(1);

  // The first calls come at once, and the trial among them.
  const [tried, ...answers] = await Promise.all([
    manage('POST', '/deployments/orders/credentials/main/test'),
    ...Array.from({ length: 20 }, () => call('orders')),
  ]);
  expect(tried).toMatchObject({ works: true, scopes: ['orders:read'] });
  for (const answer of answers) expect(answer).toContain('Bearer [masked]');
  expect(await provider.asked()).toBe(1);

  const tokens = new Set(api.requests.map(({ headers }) => headers.authorization));
  expect(tokens.size).toBe(1);
  const [authorization = ''] = tokens;
  const token = authorization.replace('Bearer ', '');
  expect(await provider.introspect(token)).toMatchObject({ active: true, client_id: 'post' });

  const kept = (await service.kept()).map((one) => JSON.stringify(one)).join('\n');
  expect(kept).toContain('"credential_access');
  for (const secret of [token, CLIENT_SECRET]) {
    expect(kept).not.toContain(secret);
    expect(kept).not.toContain(Buffer.from(secret).toString('base64').slice(0, 20));
    expect(answers.join('\n')).not.toContain(secret);
  }
});
