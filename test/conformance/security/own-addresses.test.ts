import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let person: Person;
let session: string;
let redirecting: TargetServer;

beforeAll(async () => {
  service = await startWholeService();
  redirecting = await anHttpServer((_, response) => {
    response.writeHead(302, { location: `${service.baseUrl}/mcp-management/openapi.json` }).end();
  });
  person = await service.person();
  const { email, password } = person;
  const answer = await manage('/sessions', { email, password });
  session = ((await answer.json()) as { access_token: string }).access_token;
});
afterAll(async () => {
  await service.stop();
  await redirecting[Symbol.asyncDispose]();
});

const manage = (path: string, body: object, headers: object = {}): Promise<Response> =>
  service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const portOf = (address: string): string => new URL(address).port;

/** What the service calls its own: what answers its clients, and what stands for its stores on this machine. */
const OWN: readonly (readonly [string, () => string])[] = [
  ['by its base URL', () => service.baseUrl],
  ['by another name of this machine', () => `http://localhost:${portOf(service.baseUrl)}/v1`],
  ['by its IPv6 address', () => `http://[::1]:${portOf(service.baseUrl)}/v1`],
  ['at its stores', () => `http://127.0.0.1:${String(service.aws.ports[0])}`],
];

const PATH = '/mcp-management/openapi.json';
const openapi = {
  openapi: '3.1.0',
  info: { title: 'Ourselves', version: '1' },
  paths: { [PATH]: { get: { operationId: 'own', responses: { 200: { description: 'Us' } } } } },
};

describe('a tool that calls the service itself', () => {
  test.each(OWN)('is refused %s', async (_, address) => {
    const described = { openapi: JSON.stringify(openapi), apiBaseUrl: address() };
    const { messagesUrl } = await service.publish(person, { ...described, authMethod: 'none' });

    const answer = await service.fetch(messagesUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'own', arguments: {} },
      }),
    });

    expect(await answer.json()).toMatchObject({
      error: { code: -32000, data: { reason: 'blocked_address' } },
    });
  });
});

describe('a description that is fetched from the service itself', () => {
  const sources: typeof OWN = [
    ...OWN,
    ['by a redirect of somebody else', () => `${redirecting.url}/openapi.json`],
  ];

  test.each(sources)('is refused %s', async (_, address) => {
    const url = address();
    const from = url.endsWith('.json') ? url : `${url}${PATH}`;

    const answer = await manage(
      '/deployments',
      { openapi_url: from },
      { authorization: `Bearer ${session}` },
    );

    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      code: 'description_unreachable',
      findings: [{ what: expect.stringContaining('(blocked_address)') }],
    });
  });
});
