import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SAMPLE_DESCRIPTION } from '../../../local/sample/index.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let owner: Person;
let publicServer: PublishedServer;
beforeAll(async () => {
  service = await startWholeService({}, { allowedOrigins: ['https://app.example.com'] });
  owner = await service.person();
  publicServer = await service.publish(owner, { authMethod: 'none' });
});
afterAll(() => service.stop());

const EVIL = 'https://evil.example';
const LIST = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

const say = (url: string, origin: string | undefined): Promise<Response> =>
  service.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(origin !== undefined && { origin }) },
    body: LIST,
  });

describe('a deployment of mode none on somebody’s own machine', () => {
  test.each([
    undefined,
    'http://localhost:3000',
    'https://127.0.0.1',
    'http://[::1]:6274',
    'https://app.example.com',
  ])('answers a request with the Origin %p', async (origin) => {
    const answer = await say(publicServer.messagesUrl, origin);

    expect(answer.status).toBe(200);
    expect(await answer.json()).toHaveProperty('result.tools');
  });

  test.each([
    EVIL,
    'null',
    'http://localhost.evil.example',
    'https://app.example.com.evil.example',
  ])('refuses a page of %p, and calls nothing', async (origin) => {
    const answer = await say(publicServer.messagesUrl, origin);

    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: 'forbidden_origin' });
  });

  test.each(['', '/messages', '/tool', '/docs', '/health'])(
    'shows a strange page nothing at %p',
    async (path) => {
      const { status } = await service.fetch(`${publicServer.url}${path}`, {
        headers: { origin: EVIL, accept: 'application/json, text/event-stream' },
      });

      expect(status).toBe(403);
    },
  );

  test('answers pages that its owner lists', async () => {
    const signedIn = await service.fetch(`${service.baseUrl}/mcp-management/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(owner),
    });
    const { access_token: token } = (await signedIn.json()) as { access_token: string };
    const made = await service.fetch(`${service.baseUrl}/mcp-management/deployments`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({
        openapi: await readFile(SAMPLE_DESCRIPTION, 'utf8'),
        api_base_url: 'https://api.example.com',
        mcp_auth_method: 'none',
        allowed_origins: ['https://mine.example'],
      }),
    });
    const { slug } = (await made.json()) as { slug: string };
    const url = `${service.baseUrl}/mcp-router/${slug}/messages`;
    const statuses = [];
    for (const origin of ['https://mine.example', 'http://localhost:1', EVIL]) {
      statuses.push((await say(url, origin)).status);
    }

    expect(statuses).toEqual([200, 200, 403]);
  });
});

describe('a deployment that asks for tokens on somebody’s own machine', () => {
  test('leaves pages to the token', async () => {
    const guarded = await service.publish(owner);

    expect((await say(guarded.messagesUrl, EVIL)).status).toBe(401);
  });
});
