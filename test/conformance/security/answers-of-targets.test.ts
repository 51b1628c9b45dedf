import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

const CHALLENGE = 'Basic realm="a realm of the target"';
const COOKIE = 'target-session=of-the-target; Path=/';
const LOCATION = 'https://elsewhere.example/of-the-target';

let service: WholeService;
let target: TargetServer;
let server: PublishedServer;
let owner: Person;
let openapi: string;

beforeAll(async () => {
  [service, target] = await Promise.all([
    startWholeService(),
    anHttpServer(({ url = '', headers }, response) => {
      const status = Number(url.slice(1).split('?', 1)[0]);
      response.writeHead(status, {
        'content-type': 'application/json',
        'www-authenticate': CHALLENGE,
        'proxy-authenticate': CHALLENGE,
        'set-cookie': COOKIE,
        location: LOCATION,
        refresh: `0; url=${LOCATION}`,
        'x-target': 'of-the-target',
      });
      response.end(JSON.stringify({ copied: headers['x-amz-copy-source'] ?? null }));
    }),
  ]);
  const get = (status: number) => ({
    get: {
      operationId: `answers${status}`,
      parameters: ['x-amz-copy-source', 'x-amz-date', 'X-Amz-Security-Token', 'Authorization'].map(
        (name) => ({ name, in: 'header', schema: { type: 'string' } }),
      ),
      responses: { default: { description: 'Whatever is asked for' } },
    },
    head: { operationId: `looksAt${status}`, responses: {} },
  });
  const paths = Object.fromEntries(
    [200, 302, 307, 401, 403, 407, 500].map((status) => [`/${status}`, get(status)]),
  );
  openapi = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Answers of all kinds', version: '1' },
    paths,
  });
  owner = await service.person();
  server = await service.publish(owner, { openapi, apiBaseUrl: target.url, authMethod: 'none' });
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

const call = (name: string, args: object = {}): Promise<Response> =>
  service.fetch(server.messagesUrl, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  });

describe('an answer of the target API', () => {
  test.each([200, 302, 307, 401, 403, 407, 500])(
    'of status %i leaves no challenge, redirect or cookie for the client',
    async (status) => {
      const answer = await call(`answers${status}`);

      expect(answer.status).toBe(200);
      for (const name of [
        'www-authenticate',
        'proxy-authenticate',
        'set-cookie',
        'location',
        'refresh',
        'x-target',
      ]) {
        expect(answer.headers.has(name)).toBe(false);
      }
      const text = await answer.text();
      for (const secret of [CHALLENGE, 'a realm of the target', COOKIE, 'target-session']) {
        expect(text).not.toContain(secret);
      }
      // Where the thing is, the model may know; nothing goes there.
      expect(text.replaceAll(LOCATION, '')).not.toContain('of-the-target');
      expect(JSON.parse(text)).toHaveProperty('result.content');
    },
  );
});

describe('the headers of an answer to HEAD, which are its result', () => {
  test.each([200, 401, 407])('of status %i pass on no challenge and no cookie', async (status) => {
    const answer = await call(`looksAt${status}`);
    const text = await answer.text();

    expect(answer.status).toBe(200);
    expect(text).toContain('x-target: of-the-target');
    for (const secret of [CHALLENGE.split('"')[1], 'authenticate', COOKIE, 'set-cookie']) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('a 401 of the target API behind a deployment whose clients sign in', () => {
  test('begins no login: the client is let in, and reads a failed call', async () => {
    const guarded = await service.publish(owner, { openapi, apiBaseUrl: target.url });
    const client = await aRawClient(service);
    const { access_token: token } = await client.tokens(service.browser(), owner, guarded);
    const answer = await service.fetch(guarded.messagesUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'answers401', arguments: {} },
      }),
    });

    expect(answer.status).toBe(200);
    for (const name of ['www-authenticate', 'x-mcp-challenge', 'set-cookie']) {
      expect(answer.headers.has(name)).toBe(false);
    }
    expect(await answer.json()).toMatchObject({ result: { isError: true } });
  });
});

describe('a header of an AWS API that the description declares', () => {
  test('is an argument, and is sent', async () => {
    const answer = await call('answers200', { 'x-amz-copy-source': '/bucket/key' });

    expect(await answer.text()).toContain('/bucket/key');
    expect(target.requests.at(-1)?.headers).toMatchObject({ 'x-amz-copy-source': '/bucket/key' });
  });

  test.each(['x-amz-date', 'X-Amz-Security-Token', 'Authorization'])(
    'is none where it signs a request: %s',
    async (name) => {
      const { length } = target.requests;

      expect(await (await call('answers200', { [name]: 'x' })).json()).toMatchObject({
        error: { code: -32602 },
      });
      expect(target.requests).toHaveLength(length);
    },
  );
});
