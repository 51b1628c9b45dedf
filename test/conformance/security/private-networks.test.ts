import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { networksFrom } from '../../../local/run/networks.ts';
import {
  anHttpServer,
  certificate,
  type TargetServer,
} from '../../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../../support/service/whole-service.ts';

const SECRET = 'CANARY-of-the-network';
const MISSING = '/not-there';

let service: WholeService;
let session: string;
/** A machine of the network `orders`, and one of `billing`. */
let orders: TargetServer;
let billing: TargetServer;
/** One that wants to be shown a certificate, in the network `vault`, whose authority nobody else trusts. */
let vault: Server;

const description = (url: string) => ({
  openapi: '3.1.0',
  info: { title: 'Orders', version: '1' },
  servers: [{ url }],
  paths: {
    '/orders': { get: { operationId: 'listOrders', responses: { 200: { description: 'All' } } } },
    '/files': {
      post: {
        operationId: 'sendFile',
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { text: { type: 'string' } } },
            },
          },
        },
        responses: { 200: { description: 'How long it was' } },
      },
    },
    '/moved': { get: { operationId: 'moved', responses: { 200: { description: 'Elsewhere' } } } },
    '/image': { get: { operationId: 'image', responses: { 200: { description: 'A picture' } } } },
    '/large': { get: { operationId: 'large', responses: { 200: { description: 'Much' } } } },
  },
});

const privateKey = readFileSync(
  new URL('../../support/tls/localhost.key.pem', import.meta.url),
  'utf8',
);

const aVault = (): Promise<Server> =>
  new Promise((resolve) => {
    const asksWho = { key: privateKey, cert: certificate, ca: certificate, requestCert: true };
    const server = createServer({ ...asksWho, rejectUnauthorized: false }, (request, response) => {
      const { subject } = (request.socket as TLSSocket).getPeerCertificate();
      response.end(JSON.stringify({ shown: subject?.CN ?? 'nobody' }));
    });
    server.listen(0, 'localhost', () => resolve(server));
  });

const PNG = Buffer.from([137, 80, 78, 71, 0, 255, 254, 128]);

const anApi = (name: string, address: string) =>
  anHttpServer(({ method, url, body, headers }, response) => {
    if (url === '/openapi.json') {
      return response.end(JSON.stringify(description(`http://${headers.host}`)));
    }
    if (url === '/moved') {
      return response.writeHead(307, { location: `${billing.url}/orders` }).end();
    }
    if (url === '/image') return response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
    if (url === '/large') return response.end('x'.repeat(6_000_000));
    if (url?.startsWith(MISSING)) return response.writeHead(404).end();
    return response.end(JSON.stringify({ name, method, bytes: body.length }));
  }, address);

beforeAll(async () => {
  [orders, billing, vault] = await Promise.all([
    anApi('orders', '127.0.0.2'),
    anApi('billing', '127.0.0.3'),
    aVault(),
  ]);
  const networks = [
    ...networksFrom(['orders=127.0.0.2/32,127.0.0.9/32', 'billing=127.0.0.3/32']),
    {
      name: 'vault',
      hosts: ['localhost'],
      ranges: ['127.0.0.1/32', '::1/128'],
      http: false,
      certificateAuthorities: [certificate],
    },
  ];
  service = await startWholeService({ active_deployments_per_user: 100 }, { networks });
  const { email, password } = await service.person();
  const { body } = await api('POST', '/sessions', { email, password });
  session = body['access_token'] as string;
});
afterAll(async () => {
  await service.stop();
  vault.close();
  await Promise.all([orders, billing].map((one) => one[Symbol.asyncDispose]()));
});

interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const api = async (method: string, path: string, body?: object): Promise<Answered> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(session !== undefined && { authorization: `Bearer ${session}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : JSON.parse(text) };
};

/** A deployment that no instance of the router has looked at yet. */
const deployed = async (more: object): Promise<string> => {
  const slug = `n-${randomUUID().slice(0, 18)}`;
  const answer = await api('POST', '/deployments', { slug, mcp_auth_method: 'none', ...more });
  expect(answer).toMatchObject({ status: 201 });
  return slug;
};

const call = async (slug: string, name: string, args: object = {}): Promise<unknown> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-router/${slug}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  });
  return answer.json();
};

const textOf = (answer: unknown): string =>
  (answer as { result: { content: { text: string }[] } }).result.content[0]?.text ?? '';

const refusedFor = (reason: string) => ({ error: { code: -32000, data: { reason } } });

describe('a server in a private network', () => {
  test('calls its API there, with the credential, which no log and no table has', async () => {
    const slug = await deployed({ openapi: description(orders.url), network: 'orders' });
    const credential = { type: 'bearer', token: SECRET };
    await api('PUT', `/deployments/${slug}/credential`, credential);

    const answer = await call(slug, 'listOrders');

    expect(textOf(answer)).toContain('"name":"orders"');
    expect(orders.requests.at(-1)).toMatchObject({
      method: 'GET',
      url: '/orders',
      headers: { authorization: `Bearer ${SECRET}` },
    });
    const kept = await service.kept();
    expect(kept.map(([where]) => where)).toContainEqual(expect.stringContaining('network-orders'));
    for (const [, text] of kept) expect(text).not.toContain(SECRET);
    const log = kept.filter(([where]) => where.includes('network-orders')).map(([, text]) => text);
    expect(log.join('')).not.toContain('127.0.0.2');
  });

  test('signs what it sends there by a recipe, with a secret that its function is not given', async () => {
    const slug = await deployed({ openapi: description(orders.url), network: 'orders' });
    const set = await api('PUT', `/deployments/${slug}/credential`, {
      type: 'hmac',
      algorithm: 'sha256',
      signed: '{timestamp}.{method}.{target}.{body}',
      headers: { 'x-time': '{timestamp}', 'x-signature': '{signature}' },
      encoding: 'hex',
      secret: SECRET,
    });
    expect(set).toMatchObject({ status: 200 });

    await call(slug, 'sendFile', { text: 'é' });

    const { headers, body, url } = orders.requests.at(-1)!;
    const signed = `${String(headers['x-time'])}.POST.${url}.${body}`;
    expect(body).toContain('é');
    expect(headers['x-signature']).toBe(createHmac('sha256', SECRET).update(signed).digest('hex'));
    for (const [, text] of await service.kept()) expect(text).not.toContain(SECRET);
  });

  test('shows its client certificate there, to an API whose authority is known there alone', async () => {
    const url = `https://localhost:${(vault.address() as AddressInfo).port}`;
    const settings = { openapi: description(url), network: 'vault' };
    const [open, slug] = [await deployed(settings), await deployed(settings)];
    const credential = { type: 'mutual_tls', certificate, private_key: privateKey };
    const set = await api('PUT', `/deployments/${slug}/credential`, credential);
    expect(set).toMatchObject({ status: 200 });

    const without = textOf(await call(open, 'listOrders'));
    const shown = textOf(await call(slug, 'listOrders'));

    expect([without, shown]).toEqual(['{"shown":"nobody"}', '{"shown":"localhost"}']);
    const line = privateKey.split('\n')[1]!;
    for (const [, text] of await service.kept()) expect(text).not.toContain(line);
  });

  test('reaches no API of another network, nor one of the same host over the internet', async () => {
    const before = billing.connections.length;
    const slug = await deployed({ openapi: description(billing.url), network: 'orders' });

    expect(await call(slug, 'listOrders')).toMatchObject(refusedFor('host_not_in_network'));
    expect(billing.connections).toHaveLength(before);
  });

  test('is told at publication that its host is not in the list', async () => {
    const slug = `n-${randomUUID().slice(0, 18)}`;
    const openapi = description(billing.url);
    const warned = expect.arrayContaining([
      expect.objectContaining({
        where: '/network',
        what: 'the private network orders does not have 127.0.0.3 in its list: calls to it are refused',
      }),
    ]);

    const made = await api('POST', '/deployments', { slug, openapi, network: 'orders' });
    const checked = await api('POST', '/descriptions', { openapi, network: 'orders' });

    expect(made.body['warnings']).toEqual(warned);
    expect(checked.body['warnings']).toEqual(warned);
  });

  test('is refused a redirect into another network', async () => {
    const before = billing.connections.length;
    const slug = await deployed({ openapi: description(orders.url), network: 'orders' });

    expect(textOf(await call(slug, 'moved'))).toContain('307');
    expect(billing.connections).toHaveLength(before);
  });

  test('gives bytes as they are, and the beginning of what is too long', async () => {
    const slug = await deployed({ openapi: description(orders.url), network: 'orders' });

    const image = (await call(slug, 'image')) as { result: { content: { data?: string }[] } };
    const large = textOf(await call(slug, 'large'));

    expect(image.result.content[0]?.data).toBe(PNG.toString('base64'));
    expect(large).toMatch(/^x+/);
  });

  test('moves to another network by a change of its settings, and out of all of them', async () => {
    const slug = await deployed({ openapi: description(billing.url), network: 'orders' });

    const moved = await api('PATCH', `/deployments/${slug}`, { network: 'billing' });
    expect(moved.body).toMatchObject({ network: 'billing', warnings: [] });
    const out = await api('PATCH', `/deployments/${slug}`, { network: null });
    expect(out.body).not.toHaveProperty('network');
  });

  test('has its description fetched there, though nobody else could', async () => {
    const slug = await deployed({ openapi_url: `${orders.url}/openapi.json`, network: 'orders' });
    expect(textOf(await call(slug, 'listOrders'))).toContain('"name":"orders"');

    const sent = { openapi_url: `${orders.url}${MISSING}`, network: 'orders' };
    expect(await api('POST', '/deployments', sent)).toMatchObject({
      status: 422,
      body: { code: 'description_unreachable' },
    });
  });

  test('is tried there by its owner', async () => {
    const slug = await deployed({ openapi: description(orders.url), network: 'orders' });

    const tried = await api('POST', `/deployments/${slug}/tools/listOrders/test`, {
      arguments: {},
    });

    expect(JSON.stringify(tried.body)).toContain('\\"name\\":\\"orders\\"');
  });

  test('has its network in the record of each call', async () => {
    const slug = await deployed({ openapi: description(orders.url), network: 'orders' });
    await call(slug, 'listOrders');

    const log = (await service.kept()).find(([where]) => where.startsWith('router'))?.[1] ?? '';

    expect(log).toContain('"network":"orders"');
  });

  test.each(['payroll', 'Orders', '', '*'])(
    'is not made in a network that is not there: %p',
    async (network) => {
      const slug = `n-${randomUUID().slice(0, 18)}`;
      const sent = { slug, openapi: description(orders.url), network };

      expect(await api('POST', '/deployments', sent)).toMatchObject({ status: 422 });
      expect(await api('GET', `/deployments/${slug}`)).toMatchObject({ status: 404 });
    },
  );
});

describe('whoever looks for networks', () => {
  test('is shown those that may be used, without their ranges', async () => {
    expect(await api('GET', '/networks')).toEqual({
      status: 200,
      body: {
        items: [
          { name: 'orders', hosts: ['127.0.0.2', '127.0.0.9'], http: true },
          { name: 'billing', hosts: ['127.0.0.3'], http: true },
          { name: 'vault', hosts: ['localhost'], http: false },
        ],
      },
    });
  });
});
