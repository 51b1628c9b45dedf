import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type FunctionSettings,
  localFunction,
  type LocalFunction,
} from '../../local/functions/index.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';
import {
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

/** A function whose thread can be ended from outside, as AWS ends an instance that runs out of memory. */
const endable = (settings: FunctionSettings) => {
  let current = localFunction(settings);
  const fn: LocalFunction = {
    ready: () => current.ready(),
    invoke: (event) => current.invoke(event),
    thawed: () => current.thawed(),
    close: () => current.close(),
  };
  const end = async () => {
    const ended = current;
    current = localFunction(settings);
    await ended.close();
  };
  return { fn, end };
};

let endRouter: () => Promise<void>;
let service: WholeService;
let authorization: string;
let server: PublishedServer;
let target: TargetServer;
/** Answers that the target holds back. */
const held: ServerResponse[] = [];

beforeAll(async () => {
  service = await startWholeService(
    {},
    {
      runFunction: (settings) => {
        if (settings.name === 'router') {
          const { fn, end } = endable(settings);
          endRouter = end;
          return fn;
        }
        if (settings.name !== 'management') return localFunction(settings);
        const entry = new URL('../support/aws/hanging-function.ts', import.meta.url);
        entry.searchParams.set('of', settings.entry.href);
        return localFunction({ ...settings, entry, timeoutSeconds: 2 });
      },
    },
  );
  target = await anHttpServer((_, response) => void held.push(response));
  const owner = await service.person();
  const session = await fetch(`${service.baseUrl}/mcp-management/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  });
  const { access_token: token } = (await session.json()) as { readonly access_token: string };
  authorization = `Bearer ${token}`;
  server = await service.publish(owner, { authMethod: 'none', apiBaseUrl: target.url });
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

const described = (headers = {}): Promise<Response> =>
  fetch(`${service.baseUrl}/mcp-management/openapi.json`, { headers });

describe('a function that was ended for its time', () => {
  test('answers the requests that come after, and those that came meanwhile', async () => {
    expect((await described()).status).toBe(200);

    const hanging = described({ 'x-hang': '1' });
    const meanwhile = described();
    const ended = await hanging;
    const next = described();

    expect(ended.status).toBe(500);
    expect([(await meanwhile).status, (await next).status]).toEqual([200, 200]);
  });
});

const call = (args: object = {}): Promise<Response> =>
  fetch(server.messagesUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'listBooks', arguments: args },
    }),
  });

/** The calls that are on record, as soon as they are as many. */
const recorded = async (
  count: number,
  query = '',
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  for (;;) {
    const url = `${service.baseUrl}/mcp-management/deployments/${server.slug}/calls${query}`;
    const page = await fetch(url, { headers: { authorization } });
    const { items, ...rest } = (await page.json()) as { items?: [] };
    if (items === undefined) throw new Error(`${page.status} ${JSON.stringify(rest)}`);
    if (items.length >= count) return items;
    await setTimeout(100);
  }
};

describe('a call whose target holds its answer', () => {
  /** Once the target has been asked. */
  const called = async (): Promise<{ readonly answer: Promise<Response> }> => {
    const answer = call();
    while (held.length === 0) await setTimeout(20);
    return { answer };
  };

  test('is on record as unfinished where the function dies meanwhile', async () => {
    const { answer } = await called();
    await endRouter();

    expect((await answer).status).toBe(500);
    expect(await recorded(1)).toMatchObject([
      { tool: 'listBooks', outcome: 'unfinished', duration_ms: 0, subject: '127.0.0.1' },
    ]);
    held.splice(0).forEach((response) => response.destroy());
  });

  test('is on record as unfinished until it has ended, and once from then on', async () => {
    const { answer } = await called();
    const [before] = await recorded(2);
    held.splice(0).forEach((response) => response.writeHead(200).end('[]'));

    expect(before).toMatchObject({ outcome: 'unfinished' });
    expect((await answer).status).toBe(200);
    await recorded(1, '?outcome=ok');
    const outcomes = (await recorded(2)).map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['ok', 'unfinished']);
  });
});

describe('a call that is refused for its arguments', () => {
  test('is on record also where the store is down that would tell of a newer version', async () => {
    const on = { caller: 'router', service: 'dynamodb', operation: 'GetItem' } as const;
    // A second later, what is remembered is asked for again.
    await setTimeout(1100);
    service.aws.faults.inject({ kind: 'fail', on });
    const answer = await call({ limit: 'many' });
    service.aws.faults.clear();

    expect(answer.status).toBe(503);
    expect(await recorded(1, '?outcome=refused')).toMatchObject([{ reason: 'invalid_params' }]);
  });
});
