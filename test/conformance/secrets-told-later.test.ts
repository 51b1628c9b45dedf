import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readerFinds } from '../support/spelling/reader.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

let service: WholeService;
let target: TargetServer;
let session = '';
/** What the API answers, by path. */
const told = new Map<string, string>();

beforeAll(async () => {
  service = await startWholeService({ active_deployments_per_user: 100 });
  const { email, password } = await service.person();
  session = String((await done('POST', '/sessions', { email, password }))['access_token']);
  target = await anHttpServer(({ url = '' }, response) => {
    const body = told.get(url);
    if (body === undefined) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

const sent = async (method: string, path: string, body?: object): Promise<string> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(session !== '' && { authorization: `Bearer ${session}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text;
};
const done = async (method: string, path: string, body: object) =>
  JSON.parse(await sent(method, path, body)) as Readonly<Record<string, unknown>>;

/** @param given - what the descriptions of the parameter and its default say */
const description = (given: unknown = 'anything') => ({
  openapi: '3.1.0',
  info: { title: 'An API that knows secrets', version: '1' },
  servers: [{ url: target.url }],
  components: {
    securitySchemes: {
      own: { type: 'http', scheme: 'bearer' },
    },
  },
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        description: `Use it like this: ${String(given)}.`,
        security: [{ own: [] }],
        parameters: [
          { name: 'key', in: 'query', schema: { type: ['string', 'number'], default: given } },
        ],
        responses: { 200: { description: 'All' } },
      },
    },
  },
});

const bearer = (token: string) => ({ type: 'bearer', token });

const published = async (credential: object, over: object = {}) => {
  const slug = `t-${randomUUID().slice(0, 18)}`;
  await done('POST', '/deployments', {
    slug,
    openapi: description(),
    mcp_auth_method: 'none',
    ...over,
  });
  await done('PUT', `/deployments/${slug}/credentials/main`, { schemes: ['own'], ...credential });
  const rpc = async (method: string, params: object = {}): Promise<string> => {
    const answer = await service.fetch(`${service.baseUrl}/mcp-router/${slug}/messages`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return answer.text();
  };
  return { slug, rpc };
};

describe('a description that is fetched with the credential and repeats it', () => {
  const fetching = async (text: string, credential: object) => {
    const server = await published(credential, { fetch_with: 'credential' });
    const path = `/${server.slug}.json`;
    told.set(path, text);
    const openapi = `/deployments/${server.slug}/openapi`;
    const answer = await sent('PUT', openapi, { openapi_url: `${target.url}${path}` });
    return { shown: [answer, await server.rpc('tools/list'), await sent('GET', openapi)] };
  };
  test('is published without it, as a number too', async () => {
    const secret = '5550143212';
    const { shown } = await fetching(JSON.stringify(description(Number(secret))), bearer(secret));

    expect(shown[1]).toContain('listPets');
    expect(shown.filter((one) => readerFinds(one, secret))).toEqual([]);
  });
});
