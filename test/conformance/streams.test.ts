import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { anHttpServer, type TargetServer } from '../support/target/target-server.ts';
import { startWholeService, type WholeService } from '../support/service/whole-service.ts';

const EVENTS = 'text/event-stream';
const LINES = 'application/x-ndjson';
const SECRET = `s3cret-${randomBytes(12).toString('hex')}`;

const event = (id: number) => `id: ${id}\ndata: {"n":${id},"text":"é"}\n\n`;
const line = (id: number) => `${JSON.stringify({ id, text: 'some words '.repeat(20) })}\n`;

const soon = (work: () => void) => void setTimeout(50).then(work);

/** How each path answers, as servers do that are slow, endless or broken. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'some-events': (response) => {
    response.writeHead(200, { 'content-type': EVENTS });
    response.write(`${event(1)}${event(2)}data: {"n":3`);
  },
  drips: (response) => {
    response.writeHead(200, { 'content-type': `${EVENTS}; charset=utf-8` });
    let id = 0;
    const timer = setInterval(() => response.write(event((id += 1))), 100);
    response.once('close', () => clearInterval(timer));
  },
  'no-event': (response) => {
    response.writeHead(200, { 'content-type': EVENTS });
    response.write('data: begun');
  },
  'only-headers': (response) => response.writeHead(200, { 'content-type': EVENTS }).flushHeaders(),
  'half-character': (response) => {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
    response.write(Buffer.from('caf\u00e9').subarray(0, 4));
  },
  'half-json': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    response.write('{"items":[1,2,');
  },
  resets: (response) => {
    response.writeHead(200, { 'content-type': LINES });
    response.write(`${line(1)}${line(2)}{"id":`, () =>
      soon(() => response.socket?.resetAndDestroy()),
    );
  },
  // As gateways of gRPC answer a watch: a line of JSON for each event, and no end.
  watch: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write(`${line(1)}${line(2).slice(0, 20)}`);
  },
  'half-json-resets': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"items":[', () => soon(() => response.socket?.resetAndDestroy()));
  },
  whole: (response) => {
    response.writeHead(200, { 'content-type': LINES });
    response.end('{"id":1}\n{"id":2}');
  },
  many: (response) => {
    response.writeHead(200, { 'content-type': LINES });
    response.end(Array.from({ length: 3000 }, (_, id) => line(id)).join(''));
  },
  endless: (response) => {
    response.writeHead(200, { 'content-type': LINES });
    let id = 0;
    const more = (): void => {
      while (!response.destroyed && response.write(line((id += 1)).repeat(100)));
    };
    response.on('drain', more);
    more();
  },
  zipped: (response) => {
    response.writeHead(200, { 'content-type': EVENTS, 'content-encoding': 'gzip' });
    // Without its end, as a server flushes it.
    response.write(gzipSync(event(1) + event(2).repeat(500)).subarray(0, -12));
  },
  secrets: (response) => {
    response.writeHead(200, { 'content-type': EVENTS });
    response.write(`data: ${SECRET}\n\ndata: fine\n\ndata: ${SECRET.slice(0, 10)}`);
  },
  picture: (response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    const begins = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
    response.write(Buffer.concat([Buffer.from(begins), Buffer.alloc(2000)]));
  },
};

let service: WholeService;
let target: TargetServer;
let url: string;
let records: () => Promise<readonly { tool: string; outcome: string; reason?: string }[]>;

beforeAll(async () => {
  service = await startWholeService({ target_timeout_seconds: 2 });
  target = await anHttpServer(({ url: path = '' }, response) =>
    ANSWERS[path.slice(1).split('?', 1)[0] ?? '']?.(response),
  );
  const management = async (method: string, path: string, body?: object, session = '') => {
    const answer = await fetch(`${service.baseUrl}/mcp-management${path}`, {
      method,
      headers: { authorization: `Bearer ${session}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const { email, password } = await service.person();
  const opened = await management('POST', '/sessions', { email, password });
  const session = String(opened['access_token']);
  const paths = Object.fromEntries(
    Object.keys(ANSWERS).map((name) => [
      `/${name}`,
      {
        get: {
          operationId: name,
          parameters: [{ name: 'since', in: 'query', schema: { type: 'string' } }],
          responses: { 200: { description: '' } },
        },
      },
    ]),
  );
  const made = await management(
    'POST',
    '/deployments',
    {
      openapi: {
        openapi: '3.1.0',
        info: { title: 'Streams', version: '1' },
        servers: [{ url: target.url }],
        paths,
      },
      slug: 'streams',
      mcp_auth_method: 'none',
    },
    session,
  );
  url = String(made['mcp_url']);
  const credential = { type: 'bearer', token: SECRET };
  await management('PUT', '/deployments/streams/credential', credential, session);
  records = async () =>
    (await management('GET', '/deployments/streams/calls?limit=50', undefined, session))[
      'items'
    ] as never;
});
afterAll(async () => {
  await service.stop();
  await target[Symbol.asyncDispose]();
});

const ask = async (method: string, params: object) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return (await answer.json()) as {
    readonly result?: {
      readonly content: readonly { readonly text: string }[];
      readonly isError?: boolean;
      readonly contents: readonly { readonly text: string }[];
    };
    readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
  };
};
const call = (name: string) => ask('tools/call', { name, arguments: {} });
const textOf = async (name: string) =>
  (await call(name)).result?.content.map(({ text }) => text).join('\n\n') ?? '';

describe('a stream that is not finished when its time is over', () => {
  test.each([
    ['some-events', event(1) + event(2), '2 events came whole'],
    ['no-event', '', '0 events came whole'],
    ['zipped', event(1), 'events came whole'],
    ['resets', line(1) + line(2), '2 lines came whole'],
  ])('is given in whole elements, and said to be cut: %s', async (name, beginning, said) => {
    const text = await textOf(name);

    expect(text.startsWith(beginning)).toBe(true);
    expect(text).toContain(said);
    expect(text).toMatch(/time for its answer was over|connection to the target API broke/);
    expect(text).not.toContain('{"n":3');
    expect(text).not.toMatch(/\{"id":\s*\[/);
  });

  test('has what dripped in until then', async () => {
    const text = await textOf('drips');
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));

    expect(ids.length).toBeGreaterThan(5);
    expect(ids).toEqual(ids.map((_, at) => at + 1));
    expect(text).toContain(`${ids.length} events came whole`);
  });

  test('never shows a secret, nor the beginning of one', async () => {
    const text = await textOf('secrets');

    expect(text).toContain('data: [masked]\n\ndata: fine\n\n');
    expect(text).not.toContain(SECRET.slice(0, 10));
  });

  test('is read on at whole lines where it is endless, within bounded memory', async () => {
    const { result } = await call('endless');
    const [{ text: shown }, { text: note }] = result!.content as [
      { text: string },
      { text: string },
    ];
    const rows = shown
      .trimEnd()
      .split('\n')
      .map((one) => JSON.parse(one));

    expect(rows.length).toBeGreaterThan(10);
    expect(note).toMatch(/the first \d+ of \d+ lines are shown/);
  });
});

describe('an answer that is no stream', () => {
  test.each([
    ['half-json', '{"items":[1,2,', 'the first 14 of 100 bytes are shown'],
    ['half-character', 'caf', 'had not finished when the time for its answer was over'],
  ])('is given as far as it came: %s', async (name, beginning, said) => {
    const secretless = await textOf(name);

    expect(beginning.startsWith(secretless.split('\n\n[')[0] ?? 'x')).toBe(true);
    expect(secretless).toContain(name === 'half-json' ? 'time for its answer was over' : said);
    expect(secretless).not.toContain('\ufffd');
  });

  test('has the events of a watch that came until then, though they are called JSON', async () => {
    const { result } = await call('watch');

    expect(result?.isError).toBeUndefined();
    const text = result?.content.map((one) => one.text).join('\n\n') ?? '';
    expect(text.startsWith(line(1))).toBe(true);
    expect(text).toContain('1 lines came whole');
    expect(text).not.toContain('{"id":2');
  });

  test('is an error where only a part of a picture came', async () => {
    const { result } = await call('picture');

    expect(result?.isError).toBe(true);
    expect(result?.content[0]?.text).toContain('a part of it would be useless');
  });

  test('is an error where its connection breaks', async () => {
    const { error } = await call('half-json-resets');

    expect(error).toMatchObject({ code: -32000, data: { reason: 'connection_failed' } });
  });

  test('is an error that says what to do where nothing came of it', async () => {
    const { error } = await call('only-headers');

    expect(error).toMatchObject({ code: -32000, data: { reason: 'timeout' } });
    expect(error?.message).toContain('ask for less, or call again later');
  });
});

describe('a stream that ends', () => {
  test('stays as it is, to the byte', async () => {
    expect(await textOf('whole')).toBe('{"id":1}\n{"id":2}');
  });

  test('is read on without a gap, each part in whole lines', async () => {
    const { result } = await call('many');
    const [{ text: shown }, { text: note }] = result!.content as [
      { text: string },
      { text: string },
    ];
    const [, first = '', last = ''] = /(kept-answer:\S+) to (kept-answer:\S+)/.exec(note) ?? [];
    const count = Number(last.split('/').at(-1));
    const texts = [shown];
    for (let number = 1; number <= count; number += 1) {
      const read = await ask('resources/read', { uri: first.replace(/\d+$/, String(number)) });
      texts.push(read.result?.contents[0]?.text ?? '');
    }

    expect(count).toBeGreaterThan(3);
    expect(texts.every((text) => text.endsWith('\n') && text.startsWith('{"id":'))).toBe(true);
    expect(texts.join('')).toBe(Array.from({ length: 3000 }, (_, id) => line(id)).join(''));
    expect(note).toContain('of 3000 lines are shown');
  });
});

test('calls are on record with what happened', async () => {
  await call('some-events');
  // They are written after the answer.
  for (let tries = 0; tries < 100; tries += 1) {
    const ended = (await records()).find(
      ({ outcome, tool }) => outcome === 'ok' && tool === 'some-events',
    );
    if (ended) return expect(ended.reason).toBe('answer_cut_timeout');
    await setTimeout(100);
  }
  throw new Error('no call of some-events has ended');
});
