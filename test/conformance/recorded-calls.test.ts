import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type SignedIn, signedIn } from '../support/service/signed-in.ts';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';
import {
  callTool,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../support/service/whole-service.ts';

let service: WholeService;
let target: TargetServer;
let asOwner: SignedIn;
let asStranger: SignedIn;

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/notes': {
      post: {
        operationId: 'addNote',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  text: { type: 'string' },
                  password: { type: 'string' },
                },
              },
            },
          },
        },
        responses: { 200: { description: 'The note' } },
      },
      get: {
        operationId: 'listNotes',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: { description: 'Notes' } },
      },
    },
  },
};

beforeAll(async () => {
  [service, target] = await Promise.all([
    startWholeService(),
    anHttpServer(({ body }, response) => {
      if (body.includes('as a file')) {
        response.writeHead(200, { 'content-type': 'application/zip' });
        response.end(Buffer.from([0x50, 0x4b, 3, 4, 0xff, 0xfe]));
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json', etag: '"v7"' });
      if (body.includes('at length')) {
        response.end(JSON.stringify({ words: 'words '.repeat(20_000) }));
        return;
      }
      response.end(JSON.stringify({ kept: body.toString(), accessToken: 'target-secret-1' }));
    }),
  ]);
  [asOwner, asStranger] = await Promise.all([signedIn(service), signedIn(service)]);
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

const ask = (
  method: string,
  path: string,
  { as = asOwner, body }: { readonly as?: SignedIn; readonly body?: object } = {},
) => as.send(method, `/deployments/${path}`, body);

const publish = (): Promise<PublishedServer> =>
  service.publish(asOwner.person, {
    openapi: JSON.stringify(DESCRIPTION),
    apiBaseUrl: target.url,
    authMethod: 'none',
  });

interface Recorded {
  readonly id: string;
  readonly tool: string;
  readonly outcome: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly answer?: string;
  readonly error?: string;
}

/** Once there are so many, which takes the log a moment. */
const recordedOf = async (
  { slug }: PublishedServer,
  count: number,
  query = '',
): Promise<readonly Recorded[]> => {
  for (let left = TRIES; ; left -= 1) {
    const { status, body } = await ask('GET', `${slug}/recorded-calls?${query}`);
    const items = (body['items'] ?? []) as readonly Recorded[];
    if (status === 200 && items.length >= count) return items;
    if (left === 0) throw new Error(`${status}: ${JSON.stringify(body)}`);
    await setTimeout(50);
  }
};

/** Each of them waits for the log, which takes a moment. */
const TRIES = 400;

/**
 * A call that is recorded comes last: lines of the log come in their order, so that what came before it is stored by
 * then, or never.
 */
const whenAllIsStored = async (): Promise<void> => {
  const last = await publish();
  await ask('PUT', `${last.slug}/recording`, { body: START });
  await callTool(last, 'listNotes', { limit: 1 });
  await recordedOf(last, 1);
};

const START = { days: 7 };

/** Calls of a second in which recording begins are of it. */
const nextSecond = () => setTimeout(1001);

describe('calls of a deployment', () => {
  test('that were made before are not recorded', async () => {
    const server = await publish();
    await callTool(server, 'addNote', { text: 'before it' });
    await nextSecond();
    await ask('PUT', `${server.slug}/recording`, { body: START });
    await callTool(server, 'addNote', { text: 'while this instance may not know of it' });
    await whenAllIsStored();
    expect(await recordedOf(server, 0, 'search=before')).toEqual([]);
  });

  test('are recorded with their content, without secrets, once its owner says so', async () => {
    const server = await publish();
    expect((await ask('GET', `${server.slug}/recording`)).body).toEqual({ on: false });
    const started = await ask('PUT', `${server.slug}/recording`, { body: START });
    expect(started).toMatchObject({ status: 200, body: { on: true } });
    const { since, until } = started.body;
    expect((Date.parse(String(until)) - Date.parse(String(since))) / 86_400_000).toBe(7);

    await callTool(server, 'addNote', { text: 'after it', password: 'pw-1' });
    await callTool(server, 'listNotes', { limit: 'many' });
    const recorded = await recordedOf(server, 2);

    expect(recorded).toHaveLength(2);
    const [refused, made] = ['listNotes', 'addNote'].map((tool) =>
      recorded.find((one) => one.tool === tool),
    );
    expect(made).toMatchObject({
      tool: 'addNote',
      outcome: 'ok',
      arguments: { text: 'after it', password: '[masked]' },
    });
    expect(made?.answer).toContain('after it');
    expect(made?.answer).not.toContain('pw-1');
    expect(made?.answer).not.toContain('target-secret-1');
    expect(refused).toMatchObject({
      tool: 'listNotes',
      outcome: 'refused',
      arguments: { limit: 'many' },
      error: expect.stringContaining('limit'),
    });
    expect(refused).not.toHaveProperty('answer');
  });

  test('are recorded whichever endpoint they came to', async () => {
    const server = await publish();
    await ask('PUT', `${server.slug}/recording`, { body: START });
    const { status } = await fetch(server.messagesUrl.replace(/messages$/, 'tool'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'addNote', arguments: { text: 'to the legacy endpoint' } }),
    });
    expect(status).toBe(200);
    const [recorded] = await recordedOf(server, 1);
    expect(recorded?.answer).toContain('to the legacy endpoint');
  });

  test('are recorded with the kind and the size of files', async () => {
    const server = await publish();
    await ask('PUT', `${server.slug}/recording`, { body: START });
    await callTool(server, 'addNote', { text: 'as a file' });
    const [recorded] = await recordedOf(server, 1);
    expect(recorded?.answer).toContain('[resource: application/zip, 6 bytes]');
  });

  test('are recorded with the headers of the answer, also where the answer is cut', async () => {
    const server = await publish();
    await ask('PUT', `${server.slug}/recording`, { body: START });
    await callTool(server, 'addNote', { text: 'in short' });
    await callTool(server, 'addNote', { text: 'at length' });
    const recorded = await recordedOf(server, 2);
    for (const { answer } of recorded) {
      expect(answer?.endsWith('Headers of the answer:\netag: "v7"')).toBe(true);
    }
  });

  test('stand in no log and no table in clear', async () => {
    const server = await publish();
    await ask('PUT', `${server.slug}/recording`, { body: START });
    await callTool(server, 'addNote', { text: 'canary-5b1f of the arguments' });
    const [recorded] = await recordedOf(server, 1);
    expect(recorded?.answer).toContain('canary-5b1f');

    const kept = await service.kept();
    expect(kept.some(([where]) => where === 'recorded-calls')).toBe(true);
    const canary = Buffer.from('canary-5b1f');
    const forms = [
      canary.toString(),
      canary.toString('base64').slice(1, -4),
      canary.toString('hex'),
    ];
    for (const [where, text] of kept) {
      for (const form of forms) expect([where, text.includes(form)]).toEqual([where, false]);
    }
  });

  test('are recorded of one tool, or of one person alone', async () => {
    const [byTool, byPerson] = [await publish(), await publish()];
    await ask('PUT', `${byTool.slug}/recording`, { body: { ...START, tool: 'listNotes' } });
    const subject = 'somebody@example.com';
    await ask('PUT', `${byPerson.slug}/recording`, { body: { ...START, subject } });
    for (const server of [byTool, byPerson]) {
      await callTool(server, 'addNote', { text: 'x' });
      await callTool(server, 'listNotes', { limit: 1 });
      await whenAllIsStored();
    }

    expect((await recordedOf(byTool, 1)).map(({ tool }) => tool)).toEqual(['listNotes']);
    expect(await recordedOf(byPerson, 0)).toEqual([]);
    expect((await ask('GET', `${byPerson.slug}/recording`)).body).toMatchObject({ subject });
  });

  test('are found by what was sent or answered, by tool and by outcome, one by one, page by page', async () => {
    const server = await publish();
    await ask('PUT', `${server.slug}/recording`, { body: START });
    for (const text of ['Apple', 'Pear', 'Plum']) await callTool(server, 'addNote', { text });
    await callTool(server, 'listNotes', { limit: 1 });
    await recordedOf(server, 4);

    const found = await recordedOf(server, 0, 'search=pEAR');
    expect(found.map((one) => one.arguments)).toEqual([{ text: 'Pear' }]);
    expect(await recordedOf(server, 0, 'tool=listNotes')).toHaveLength(1);
    expect(await recordedOf(server, 0, 'outcome=refused')).toHaveLength(0);

    const [one] = found as [Recorded];
    const path = `${server.slug}/recorded-calls/${encodeURIComponent(one.id)}`;
    expect((await ask('GET', path)).body).toEqual(one);
    expect((await ask('GET', `${server.slug}/recorded-calls/1.0.none`)).status).toBe(404);
    expect((await ask('GET', `${server.slug}/recorded-calls/none`)).status).toBe(404);

    const ids: string[] = [];
    let cursor = '';
    do {
      const { body } = await ask('GET', `${server.slug}/recorded-calls?limit=1${cursor}`);
      ids.push(...(body['items'] as readonly Recorded[]).map(({ id }) => id));
      const next = body['next_cursor'];
      cursor = next === undefined ? '' : `&cursor=${String(next)}`;
    } while (cursor !== '');
    expect(new Set(ids).size).toBe(4);
    expect(ids).toHaveLength(4);
  });

  test('are shown to their owner alone, and each look is an event', async () => {
    const server = await publish();
    await ask('PUT', `${server.slug}/recording`, { body: START });
    await callTool(server, 'addNote', { text: 'x' });
    await recordedOf(server, 1);

    for (const [method, path] of [
      ['GET', 'recorded-calls'],
      ['GET', 'recording'],
      ['PUT', 'recording'],
      ['DELETE', 'recording'],
      ['DELETE', 'recorded-calls'],
    ] as const) {
      const body = method === 'PUT' ? { body: START } : {};
      const { status } = await ask(method, `${server.slug}/${path}`, { as: asStranger, ...body });
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    const { body } = await ask('GET', `${server.slug}/activity?type=security`);
    expect(body['items']).toEqual(
      expect.arrayContaining([expect.objectContaining({ event: 'recorded_calls_read' })]),
    );
    const changes = await ask('GET', `${server.slug}/activity?type=change`);
    expect(changes.body['items']).toEqual(
      expect.arrayContaining([expect.objectContaining({ operation: 'startRecording' })]),
    );
  });

  test('are recorded no more once it is switched off, and stay until they are removed', async () => {
    const server = await publish();
    const before = await keptItems();
    await ask('PUT', `${server.slug}/recording`, { body: START });
    await callTool(server, 'addNote', { text: 'one' });
    await recordedOf(server, 1);
    await nextSecond();
    expect((await ask('DELETE', `${server.slug}/recording`)).status).toBe(204);
    await callTool(server, 'addNote', { text: 'two' });
    await whenAllIsStored();

    expect(await recordedOf(server, 0)).toHaveLength(1);
    expect((await ask('GET', `${server.slug}/recording`)).body).toEqual({ on: false });

    expect((await ask('DELETE', `${server.slug}/recorded-calls`)).status).toBe(204);
    expect(await recordedOf(server, 0)).toEqual([]);
    // Beside that of the call that came last.
    expect(await keptItems()).toBe(before + 1);
  });

  test('that were recorded go with the deployment', async () => {
    const server = await publish();
    const before = await keptItems();
    await ask('PUT', `${server.slug}/recording`, { body: START });
    await callTool(server, 'addNote', { text: 'x' });
    await recordedOf(server, 1);
    expect(await keptItems()).toBeGreaterThan(before);

    expect((await ask('DELETE', server.slug)).status).toBe(204);
    expect(await keptItems()).toBe(before);
  });

  test('are not recorded of a tool that there is not, and the nearest name is told', async () => {
    const server = await publish();
    const sent = { ...START, tool: 'listNote' };
    const { status, body } = await ask('PUT', `${server.slug}/recording`, { body: sent });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('Do you mean listNotes?');
    expect((await ask('GET', `${server.slug}/recording`)).body).toEqual({ on: false });
  });

  test.each([[{ days: 0 }], [{ days: 31 }], [{ days: 1.5 }], [{}], [{ days: 1, all: true }]])(
    'are not recorded for what is no number of days from 1 to 30: %j',
    async (body) => {
      const server = await publish();
      expect((await ask('PUT', `${server.slug}/recording`, { body })).status).toBe(422);
      expect((await ask('GET', `${server.slug}/recording`)).body).toEqual({ on: false });
    },
  );
});

const keptItems = async (): Promise<number> => {
  const kept = (await service.kept()).filter(([where]) => where === 'recorded-calls');
  return kept
    .map(([, text]) => text.split('"deleteAfter"').length - 1)
    .reduce((sum, one) => sum + one, 0);
};

describe('the docs page', () => {
  test('says so while calls are recorded', async () => {
    const [server, other] = [await publish(), await publish()];
    const page = async ({ url }: PublishedServer) => (await fetch(`${url}/docs`)).text();
    await ask('PUT', `${server.slug}/recording`, { body: START });
    expect(await page(server)).toContain('Calls are recorded');
    expect(await page(other)).not.toContain('Calls are recorded');
  });
});
