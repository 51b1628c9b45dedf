import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aDescription } from '../../support/openapi/descriptions.ts';
import { inOneMinute } from '../../support/minute.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';
import {
  type Person,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

const LIMITS = {
  free_requests_per_hour: 3,
  management_requests_per_minute_per_user: 30,
  description_fetches_per_hour_per_user: 3,
  trials_per_hour_per_user: 3,
  trials_at_once_per_user: 2,
  compilations_at_once_per_user: 2,
};

let service: WholeService;
let api: TargetServer;
/** Those that wait at the API for an answer. */
const waiting: (() => void)[] = [];
beforeAll(async () => {
  service = await startWholeService(LIMITS);
  api = await anHttpServer((request, response) => {
    const answer = () => {
      response.setHeader('content-type', 'application/json');
      response.end(request.url?.endsWith('openapi.json') ? described() : '{}');
    };
    if (!request.url?.startsWith('/slow')) return answer();
    waiting.push(answer);
    arrivals.dispatchEvent(new Event('arrival'));
  });
});
afterAll(async () => {
  await service.stop();
  await api[Symbol.asyncDispose]();
});

const arrivals = new EventTarget();
/** Until so many wait. */
const untilWaiting = async (count: number): Promise<void> => {
  while (waiting.length < count) await once(arrivals, 'arrival');
};

const described = (): string =>
  JSON.stringify(
    aDescription(['quick', 'slow'], {
      servers: [{ url: api.url }],
      paths: {
        '/quick': { get: { operationId: 'quick', responses: {} } },
        '/slow': { get: { operationId: 'slow', responses: {} } },
      },
    }),
  );

interface Owner {
  readonly person: Person;
  send(method: string, path: string, body?: object): Promise<Response>;
}

const anOwner = async (): Promise<Owner> => {
  const person = await service.person();
  const send = (method: string, path: string, body?: object, authorization = '') =>
    service.fetch(`${service.baseUrl}/mcp-management${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const { email, password } = person;
  const session = await send('POST', '/sessions', { email, password });
  const { access_token: token } = (await session.json()) as { access_token: string };
  return { person, send: (method, path, body) => send(method, path, body, `Bearer ${token}`) };
};

const publish = async ({ person }: Owner): Promise<string> =>
  (await service.publish(person, { openapi: described(), apiBaseUrl: api.url })).slug;

const statusesOf = (answers: readonly Response[]): number[] => answers.map(({ status }) => status);

const refusal = async (answer: Response | undefined) => {
  const retryAfter = Number(answer?.headers.get('retry-after'));
  return { status: answer?.status, retryAfter, body: (await answer?.json()) as object };
};

describe('an owner who tries a tool', () => {
  test('has trials up to a limit of their own, and spends nothing of the plan', async () => {
    const owner = await anOwner();
    const slug = await publish(owner);
    const answers: Response[] = [];
    for (let trial = 0; trial < 4; trial += 1) {
      answers.push(await owner.send('POST', `/deployments/${slug}/tools/quick/test`, {}));
    }

    expect(statusesOf(answers)).toEqual([200, 200, 200, 429]);
    const { retryAfter, body } = await refusal(answers.at(-1));
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(3600);
    expect(body).toMatchObject({ code: 'rate_limited', limit: 'trials_per_hour_per_user' });
    const account = await owner.send('GET', '/account');
    expect(await account.json()).toMatchObject({ usage: { hour: { used: 0 } } });
  });

  test('has two running at once and no third, which costs nothing, until one has ended', async () => {
    const owner = await anOwner();
    const slug = await publish(owner);
    const trial = (tool: string) =>
      owner.send('POST', `/deployments/${slug}/tools/${tool}/test`, {});
    const slow = [trial('slow'), trial('slow')];
    await untilWaiting(2);

    const third = await trial('quick');
    waiting.splice(0, 1).forEach((answer) => answer());
    const ended = await Promise.race(slow);
    const fourth = await trial('quick');
    waiting.splice(0).forEach((answer) => answer());
    await Promise.all(slow);

    expect(await refusal(third)).toMatchObject({
      status: 429,
      retryAfter: 2,
      body: { code: 'rate_limited', limit: 'trials_at_once_per_user' },
    });
    expect([ended.status, fourth.status]).toEqual([200, 200]);
  });
});

describe('an owner who has descriptions fetched', () => {
  test('gets as many an hour as the limit says, wherever they are requested', async () => {
    const owner = await anOwner();
    const slug = await publish(owner);
    const openapi_url = `${api.url}/openapi.json`;
    const made = await owner.send('POST', '/deployments', { openapi_url });
    const changed = await owner.send('PATCH', `/deployments/${slug}`, { openapi_url });
    const replaced = await owner.send('PUT', `/deployments/${slug}/openapi`, { openapi_url });
    const checked = await owner.send('POST', '/descriptions', { openapi_url });
    const another = await owner.send('POST', '/deployments', { openapi_url });
    const sent = await owner.send('POST', '/deployments', { openapi: described() });

    const answers = [made, changed, replaced, checked, another, sent];
    expect(statusesOf(answers)).toEqual([201, 200, 200, 429, 429, 201]);
    expect(await refusal(checked)).toMatchObject({
      body: { code: 'rate_limited', limit: 'description_fetches_per_hour_per_user' },
    });
  });
});

describe('an owner who has tools made', () => {
  test('has two requests for that under way and no third, whatever it is, until one has ended', async () => {
    const [owner, other] = [await anOwner(), await anOwner()];
    const slug = await publish(owner);
    const slow = { openapi_url: `${api.url}/slow/openapi.json` };
    const sent = { openapi: described() };
    const running = [
      owner.send('POST', '/descriptions', slow),
      owner.send('PUT', `/deployments/${slug}/openapi`, slow),
    ];
    await untilWaiting(2);

    const refused = [
      await owner.send('POST', '/descriptions', sent),
      await owner.send('POST', '/deployments', sent),
      await owner.send('POST', '/gallery/xkcd/deployments', {}),
      await owner.send('PUT', `/deployments/${slug}/openapi`, sent),
      await owner.send('PATCH', `/deployments/${slug}`, { tool_mode: 'search' }),
    ];
    const others = [
      await owner.send('PATCH', `/deployments/${slug}`, { name: 'Renamed' }),
      await other.send('POST', '/descriptions', sent),
    ];
    waiting.splice(0, 1).forEach((answer) => answer());
    await Promise.race(running);
    const next = await owner.send('POST', '/descriptions', sent);
    waiting.splice(0).forEach((answer) => answer());
    await Promise.all(running);

    expect(statusesOf(refused)).toEqual([429, 429, 429, 429, 429]);
    expect(statusesOf(others)).toEqual([200, 200]);
    expect(next.status).toBe(200);
    expect(await refusal(refused[0])).toMatchObject({
      retryAfter: 2,
      body: {
        code: 'rate_limited',
        limit: 'compilations_at_once_per_user',
        detail: expect.stringContaining('Other descriptions of yours are still being compiled'),
      },
    });
  });
});

describe('an owner who asks the management API', () => {
  test('is answered as often a minute as the limit says, and others are answered still', async () => {
    const owner = await anOwner();
    const other = await anOwner();
    const answers: Response[] = [];
    await inOneMinute();
    for (let asked = 0; asked < 31; asked += 1) answers.push(await owner.send('GET', '/account'));

    const refused = answers.findIndex(({ status }) => status === 429);
    expect(refused).toBe(LIMITS.management_requests_per_minute_per_user);
    const { retryAfter, body } = await refusal(answers[refused]);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(body).toMatchObject({ limit: 'management_requests_per_minute_per_user' });
    expect((await other.send('GET', '/account')).status).toBe(200);
  });
});
