import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { SAMPLE_DESCRIPTION } from '../../../local/sample/index.ts';
import { aMachine } from '../../local/fixtures/start.ts';
import { bundlesFolder } from '../../support/aws/bundles.ts';

const machine = aMachine(await bundlesFolder());
afterAll(() => machine.cleanUp());

interface Api {
  get(path: string): Promise<Page>;
}

interface Page {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next_cursor?: string;
}

/** A service in a process of its own, whose owner has published the sample for everybody. */
const aService = async () => {
  const dataFolder = await machine.folder();
  const limits = { public_requests_per_minute_per_ip: 1_000_000 };
  const environment = {
    HOSTED_MCP_DATA: dataFolder,
    HOSTED_MCP_LIMITS: JSON.stringify(limits),
  };
  const started = machine.start(environment);
  const baseUrl = await started.ready();
  const { port } = new URL(baseUrl);

  const api = async (): Promise<Api> => {
    const { email, password } = JSON.parse(await readFile(join(dataFolder, 'owner.json'), 'utf8'));
    const session = await sent(`${baseUrl}/mcp-management/sessions`, { email, password });
    const { access_token: token } = (await session.json()) as { access_token: string };
    const authorization = `Bearer ${token}`;
    const known = await fetch(`${baseUrl}/mcp-management/deployments/books`, {
      headers: { authorization },
    });
    if (known.status === 404) {
      const published = await sent(
        `${baseUrl}/mcp-management/deployments`,
        {
          slug: 'books',
          openapi: await readFile(SAMPLE_DESCRIPTION, 'utf8'),
          mcp_auth_method: 'none',
          api_base_url: `http://127.0.0.1:${(Number(port) + 10_000) % 65_536}`,
        },
        { authorization },
      );
      if (!published.ok) throw new Error(await published.text());
    }
    const get: Api['get'] = async (path) => {
      const url = `${baseUrl}/mcp-management/deployments/books/${path}`;
      const answer = await fetch(url, { headers: { authorization } });
      if (answer.status === 429) {
        // Reading has a limit of its own.
        await setTimeout(1000);
        return get(path);
      }
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Page;
    };
    return { get };
  };
  return {
    api,
    call: async (name: string, args: object) => {
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      };
      const answer = await sent(`${baseUrl}/mcp-router/books/messages`, message);
      return { status: answer.status, body: await answer.text() };
    },
    /** As the system ends what takes too much: without a word. */
    kill: async () => {
      const ended = once(started.process, 'exit');
      started.process.kill('SIGKILL');
      await ended;
    },
    startAgain: () => machine.start({ ...environment, PORT: port }).ready(),
  };
};

const sent = (url: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** All calls, page after page. */
const callsOf = async (api: Api, query = ''): Promise<Page['items']> => {
  const calls = [];
  let cursor: string | undefined;
  do {
    const page = await api.get(`calls?limit=100&${query}${cursor ? `&cursor=${cursor}` : ''}`);
    calls.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return calls;
};

const untilThereAre = async (count: number, api: Api, query = ''): Promise<Page['items']> => {
  for (;;) {
    const calls = await callsOf(api, query);
    if (calls.length >= count) return calls;
    await setTimeout(500);
  }
};

const sum = (counted: Page['items']): number =>
  counted.reduce((all, one) => all + Number(one['calls']), 0);

const service = await aService();

describe('a call of a tool', () => {
  test('counts once, among fifty at a time too', async () => {
    const api = await service.api();
    const many = 150;
    const waiting = Array.from({ length: many }, (_, at) => at).values();
    const worker = async () => {
      for (const at of waiting) await service.call('getBook', { book_id: (at % 3) + 1 });
    };
    await Promise.all(Array.from({ length: 50 }, worker));

    const daysCounted = async () => (await api.get('activity?type=tool_invocations')).items;
    let days = await daysCounted();
    while (sum(days) < many) {
      await setTimeout(500);
      days = await daysCounted();
    }
    const calls = await callsOf(api);

    expect(new Set(calls.map((call) => call['request_id'])).size).toBe(many);
    expect(calls).toHaveLength(many);
    expect(sum(days)).toBe(many);
    expect(sum(days.flatMap((day) => day['hours'] as Page['items']))).toBe(many);
  });

  test('is on record without another call, and never with its arguments', async () => {
    const api = await service.api();
    await service.call('listBooks', { genre: 'mystery', limit: 1 });
    await service.call('listBooks', { limit: 'CANARY' });

    const calls = await untilThereAre(2, api, 'tool=listBooks');

    expect(calls.map(({ outcome, status, reason }) => ({ outcome, status, reason }))).toEqual(
      expect.arrayContaining([
        { outcome: 'ok', status: 200, reason: undefined },
        { outcome: 'refused', status: undefined, reason: 'invalid_params' },
      ]),
    );
    expect(calls[0]).toMatchObject({
      tool: 'listBooks',
      version: 1,
      subject: '127.0.0.1',
      ip: '127.0.0.1',
      request_id: expect.any(String),
    });
    expect(JSON.stringify(calls)).not.toMatch(/CANARY|mystery/);
    expect(await callsOf(api, 'outcome=refused')).toHaveLength(1);
    expect(await callsOf(api, 'subject=192.0.2.1')).toHaveLength(0);
    expect(await callsOf(api, 'tool=listBooks&since=2026-01-01')).toHaveLength(2);
    expect(await callsOf(api, 'client=nobody')).toHaveLength(0);
  });

  test('is on record though the service was killed right after the answer', async () => {
    const before = await callsOf(await service.api());
    const { status } = await service.call('listBooks', { limit: 1 });
    await service.kill();
    expect(status).toBe(200);

    await service.startAgain();

    const [latest, ...others] = await untilThereAre(before.length + 1, await service.api());
    expect(latest).toMatchObject({ tool: 'listBooks', outcome: 'ok' });
    expect(others).toEqual(before);
  });
});
