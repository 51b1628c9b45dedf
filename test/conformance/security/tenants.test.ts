import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let owner: Person;
let stranger: Person;
let server: PublishedServer;
let paths: Readonly<Record<string, object>>;

beforeAll(async () => {
  service = await startWholeService();
  [owner, stranger] = [await service.person(), await service.person()];
  server = await service.publish(owner, { authMethod: 'jwt' });
  const description = await service.fetch(`${service.baseUrl}/mcp-management/openapi.json`);
  ({ paths } = (await description.json()) as { readonly paths: typeof paths });
});
afterAll(() => service.stop());

const sessionOf = async ({ email, password }: Person): Promise<string> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  return ((await answer.json()) as { readonly access_token: string }).access_token;
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of the API that names a deployment, on a deployment. */
const operationsOn = (slug: string): readonly (readonly [string, string])[] =>
  Object.entries(paths)
    .filter(([path]) => path.startsWith('/deployments/{slug}'))
    .flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => METHODS.includes(method))
        .map((method) => {
          const filled = path
            .replace('{slug}', slug)
            .replace('{version}', '1')
            .replace(/\{\w+\}/, 'x');
          return [method.toUpperCase(), filled] as const;
        }),
    );

interface Outcome {
  readonly status: number;
  readonly body: string;
}

const ask = async (session: string, method: string, path: string): Promise<Outcome> => {
  const answer = await service.fetch(`${service.baseUrl}/mcp-management${path}`, {
    method,
    headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
    ...(method !== 'GET' && method !== 'DELETE' && { body: '{}' }),
  });
  return { status: answer.status, body: await answer.text() };
};

describe('a deployment of somebody else', () => {
  test('is to no operation of the management API more than one that does not exist', async () => {
    const session = await sessionOf(stranger);
    const nowhere = `d-${randomUUID()}`;
    const operations = operationsOn(server.slug);
    expect(operations.length).toBeGreaterThan(30);

    for (const [method, path] of operations) {
      const theirs = await ask(session, method, path);
      const none = await ask(session, method, path.replace(server.slug, nowhere));

      expect([method, path, theirs.status]).toEqual([method, path, none.status]);
      expect([404, 422]).toContain(theirs.status);
      expect(theirs.body.replaceAll(server.slug, '')).toBe(none.body.replaceAll(nowhere, ''));
    }
  });

  test('is as it was after all of that', async () => {
    const session = await sessionOf(owner);

    const { status, body } = await ask(session, 'GET', `/deployments/${server.slug}`);

    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ slug: server.slug, status: 'active' });
  });

  test('is not among the deployments of anybody else', async () => {
    const { body } = await ask(await sessionOf(stranger), 'GET', '/deployments');

    expect(body).not.toContain(server.slug);
  });
});

describe('a token for one deployment', () => {
  test('is refused by another one of the same owner', async () => {
    const [mine, other] = [await service.publish(owner), await service.publish(owner)];
    const client = await aRawClient(service);
    const { access_token } = await client.tokens(service.browser(), stranger, mine);
    const list = (url: string) =>
      service.fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });

    expect((await list(mine.messagesUrl)).status).toBe(200);
    expect((await list(other.messagesUrl)).status).toBe(401);
  });

  test('is no session of the management API', async () => {
    const mine = await service.publish(owner);
    const client = await aRawClient(service);
    const { access_token } = await client.tokens(service.browser(), owner, mine);

    expect(await ask(access_token, 'GET', '/deployments')).toMatchObject({ status: 401 });
  });
});
