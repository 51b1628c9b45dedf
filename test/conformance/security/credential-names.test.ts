import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let owner: Person;
let session: string;
let target: TargetServer;

beforeAll(async () => {
  [service, target] = await Promise.all([
    startWholeService(),
    anHttpServer((_, response) => response.end('{}')),
  ]);
  owner = await service.person();
  const { email, password } = owner;
  const answer = await manage('POST', '/sessions', { email, password });
  session = ((await answer.json()) as { access_token: string }).access_token;
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

const manage = (method: string, path: string, body: object): Promise<Response> =>
  service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(session !== undefined && { authorization: `Bearer ${session}` }),
    },
    body: JSON.stringify(body),
  });

const FREE = { type: 'object', additionalProperties: { type: 'string' } };

const published = async (place: 'query' | 'cookie', name: string): Promise<PublishedServer> => {
  const openapi = {
    openapi: '3.1.0',
    info: { title: 'A search with any filters', version: '1' },
    paths: {
      '/search': {
        post: {
          operationId: 'search',
          parameters: [{ name: 'free', in: place, schema: FREE, style: 'form', explode: true }],
          requestBody: {
            content: {
              'application/x-www-form-urlencoded': {
                schema: { type: 'object', properties: { fields: FREE } },
                encoding: { fields: { style: 'form', explode: true } },
              },
            },
          },
          responses: { 200: { description: 'What was found' } },
        },
      },
    },
  };
  const described = { openapi: JSON.stringify(openapi), apiBaseUrl: target.url };
  const server = await service.publish(owner, { ...described, authMethod: 'none' });
  const key = { type: 'api_key', name, in: place, value: 'CANARY-of-the-owner' };
  const { status } = await manage('PUT', `/deployments/${server.slug}/credential`, key);
  expect(status).toBe(200);
  return server;
};

const search = async ({ messagesUrl }: PublishedServer, args: object): Promise<unknown> => {
  const answer = await service.fetch(messagesUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search', arguments: args },
    }),
  });
  return answer.json();
};

describe('a caller who puts a key of its own beside that of the owner', () => {
  const refused = { error: { code: -32602, data: { errors: [expect.anything()] } } };

  test.each(['api_key', 'API_KEY', 'api_key[]', 'api_key[0]', 'Api.Key'])(
    'is refused in query and form under the name %s, and nothing is sent',
    async (name) => {
      const server = await published('query', 'api_key');
      const { length } = target.requests;

      expect(await search(server, { free: { [name]: 'mine' } })).toMatchObject(refused);
      expect(await search(server, { fields: { [name]: 'mine' } })).toMatchObject(refused);
      expect(target.requests).toHaveLength(length);

      const others = { free: { api_keys: 'mine' }, fields: { my_key: 'mine' } };
      expect(await search(server, others)).toHaveProperty('result');
      expect(target.requests.at(-1)).toMatchObject({
        url: '/search?api_keys=mine&api_key=CANARY-of-the-owner',
        body: 'my_key=mine',
      });
    },
  );

  test('is refused among the cookies in other letters', async () => {
    const server = await published('cookie', 'sid');
    const { length } = target.requests;

    expect(await search(server, { free: { SID: 'mine' } })).toMatchObject(refused);
    expect(target.requests).toHaveLength(length);
    expect(await search(server, { free: { side: 'mine' } })).toHaveProperty('result');
    expect(target.requests.at(-1)?.headers.cookie).toBe('side=mine; sid=CANARY-of-the-owner');
  });
});
