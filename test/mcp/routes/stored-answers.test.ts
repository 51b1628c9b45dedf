import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/mcp/routes/server.ts';
import { dynamoCounters } from '../../../layers/limits/store/counters.ts';
import type { LimitName } from '../../../layers/limits/rules/limits.ts';
import { setCredential } from '../../../layers/servers/steps/credential/credential.ts';
import { tryTool } from '../../../layers/mcp/steps/calls/try-tool.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc, type SentHeaders } from '../../support/mcp/router-events.ts';
import { modernPost } from '../../support/mcp/modern-requests.ts';
import { anAccessToken, bearer } from '../../support/mcp/router-tokens.ts';
import { aTool } from '../../support/mcp/router-tools.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Of an answer, how much is shown, and how much is read in all: the service's own limits by 64. */
const SMALL = { target_response_max_bytes: 64 * KIB, kept_answer_max_bytes: 256 * KIB };
const SECRET = 'canary-4711-canary';
const UNKNOWN = `kept-answer://${'0'.repeat(64)}/1`;

const repeated = (text: string, bytes: number) =>
  text.repeat(Math.ceil(bytes / Buffer.byteLength(text)));
const LONG = JSON.stringify({ items: repeated('aü€😀 "\n', 96 * KIB) });
/** Too long at the service's own limits, too. */
const LARGE = JSON.stringify({ items: repeated('aü€😀 "\n', 6 * MIB) });
const pictureOf = (bytes: number) =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    Buffer.from(Uint8Array.from({ length: bytes }, (_, index) => (index * 7) % 256)),
  ]);
const PICTURE = pictureOf(144 * KIB);

const ECHOED = repeated(`${SECRET}, `, 9 * MIB);

/** What the target answers at each of its paths. */
const ANSWERS: Readonly<Record<string, readonly [number, string, string | Buffer]>> = {
  '/long': [200, 'application/json', LONG],
  '/large': [200, 'application/json', LARGE],
  '/failing': [500, 'application/json', LONG],
  '/picture': [200, 'image/png', PICTURE],
  '/largePicture': [200, 'image/png', pictureOf(6 * MIB)],
  '/endless': [200, 'text/plain', 'x'.repeat(320 * KIB)],
  '/endlessPicture': [200, 'image/png', Buffer.concat([PICTURE, PICTURE])],
  '/controls': [200, 'text/plain', '\u0001'.repeat(1_000_000)],
  '/echoing': [200, 'text/plain', ECHOED],
  '/short': [200, 'text/plain', 'short'],
};

let router: TestRouter;
let target: TargetServer;
/** One with the service's own limits. */
let own: TestRouter;

beforeAll(async () => {
  router = await startRouter(SMALL);
  own = await startRouter();
  target = await anHttpServer(({ url = '' }, response) => {
    const [status, type, body] = ANSWERS[url] ?? [404, 'text/plain', ''];
    const length = String(Buffer.byteLength(body));
    response.writeHead(status, { 'content-type': type, 'content-length': length }).end(body);
  });
  await publish('files');
  await publish('files', {}, own);
  await publish('others');
});
afterAll(async () => {
  await router.stop();
  await own.stop();
  await target[Symbol.asyncDispose]();
});
afterEach(() => {
  router.clock.time = NOON;
  router.store.aws.faults.clear();
  router.store.aws.calls.reset();
});

const publish = (
  slug: string,
  over: Parameters<TestRouter['publish']>[1] = {},
  to: TestRouter = router,
) => {
  const tools = Object.keys(ANSWERS).map((path) => aTool(path.slice(1), target.url));
  return to.publish(slug, { answerTokenBudget: null, ...over }, { tools });
};

/** A router of other limits, on the same stores. */
const limited = (limits: Partial<Record<LimitName, number>>) => {
  const { settings } = router.ports;
  return server({
    ...router.ports,
    settings: { ...settings, limits: { ...settings.limits, ...limits } },
  });
};

interface Asker {
  readonly slug?: string;
  readonly address?: string;
  readonly headers?: SentHeaders;
  readonly send?: TestRouter['send'];
}

const ask = async (sent: unknown, { slug = 'files', address, headers = {}, send }: Asker = {}) => {
  const event = post(at(slug, '/messages'), sent, headers, address);
  const reply = await (send ?? router.send)(event);
  expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(6 * MIB);
  expect(reply.statusCode).toBe(200);
  return JSON.parse(Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8').toString());
};

/** With what it names for reading on. */
const readable = (result: { content: { text: string }[]; isError?: true }) => {
  const [{ text } = { text: '' }] = result.content;
  const uris = text.match(/kept-answer:\/\/[0-9a-f]{64}\/\d+/g) ?? [];
  const shown = text.slice(0, text.lastIndexOf('\n\n[The answer is too long'));
  return { result, text, shown, uris };
};

const call = async (name: string, asker?: Asker) =>
  readable((await ask(rpc('tools/call', { name }), asker)).result);

const read = (uri: string, asker?: Asker) => ask(rpc('resources/read', { uri }), asker);

const readAll = async (uris: readonly string[], asker?: Asker): Promise<readonly Part[]> => {
  const parts: Part[] = [];
  for (const uri of uris) parts.push(...(await read(uri, asker)).result.contents);
  return parts;
};

describe('the stored parts of an answer', () => {
  test.each(['2025-06-18', '2025-11-25'])(
    'are links too for clients of %s, behind the text that names them',
    async (version) => {
      const address = anAddress();
      const plain = await call('long', { address });
      const { result, uris } = await call('long', {
        address,
        headers: { 'mcp-protocol-version': version },
      });
      const parts = await readAll(uris, { address });

      const [note, ...links] = result.content as unknown[];
      expect(plain.result.content).toHaveLength(1);
      expect(note).toMatchObject({ type: 'text' });
      expect(links).toEqual(
        parts.map(({ uri, mimeType, text = '' }, index) => ({
          type: 'resource_link',
          uri,
          name: `part ${index + 1} of ${parts.length}`,
          mimeType,
          size: Buffer.byteLength(text),
        })),
      );
    },
  );

  test('may be cached for as long as they are there, and by their caller alone, in 2026-07-28', async () => {
    const address = anAddress();
    const sent = modernPost(at('files', '/messages'), 'tools/call', { name: 'long' }, {}, address);
    const { body, isBase64Encoded } = await router.send(sent);
    const called = JSON.parse(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString());
    const [, link] = called.result.content;
    const readLink = async () => {
      const params = { uri: link.uri };
      const event = modernPost(at('files', '/messages'), 'resources/read', params, {}, address);
      const reply = await router.send(event);
      const text = Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8').toString();
      return JSON.parse(text);
    };

    expect((await readLink()).result).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
    router.clock.time = NOON + 590;
    expect((await readLink()).result).toMatchObject({ ttlMs: 10_000, cacheScope: 'private' });
    router.clock.time = NOON + 600;
    expect((await readLink()).error).toMatchObject({ code: -32602, data: { uri: link.uri } });
  });
});

interface Part {
  readonly uri: string;
  readonly mimeType: string;
  readonly text?: string;
  readonly blob?: string;
}

const textOf = (parts: readonly Part[]) => parts.map(({ text }) => text).join('');

const s3Calls = (operation: string) => router.store.aws.calls.count({ service: 's3', operation });

describe('an answer of the target API that is too long for one result', () => {
  test('can be read to its end through resources, byte for byte', async () => {
    const address = anAddress();
    const { result, shown, uris, text } = await call('long', { address });
    const parts = await readAll(uris, { address });

    expect(result).not.toHaveProperty('isError');
    expect(text).toContain('are kept until 2026-11-20T12:10:00Z');
    expect(parts.map(({ uri, mimeType }) => [uri, mimeType])).toEqual(
      uris.map((uri) => [uri, 'text/plain']),
    );
    expect(shown + textOf(parts) === LONG).toBe(true);
  });

  test('is continued even where only escaping made it too long', async () => {
    const address = anAddress();
    const asker = { address, send: own.send };
    const { shown, uris } = await call('controls', asker);

    expect(shown + textOf(await readAll(uris, asker))).toHaveLength(1_000_000);
  });

  test('is an error for an error status, with the status line first', async () => {
    const address = anAddress();
    const { result, shown, uris } = await call('failing', { address });

    expect(result.isError).toBe(true);
    const [heading, ...body] = (shown + textOf(await readAll(uris, { address }))).split('\n\n');
    expect([heading, body.join('\n\n') === LONG]).toEqual(['HTTP 500 Internal Server Error', true]);
  });

  test('is split into pieces without an error where it is an image', async () => {
    const address = anAddress();
    const { result, text, uris } = await call('picture', { address });
    const parts = await readAll(uris, { address });

    expect(result).not.toHaveProperty('isError');
    expect(text).toMatch(/^The answer is image\/png of 147464 bytes/);
    expect(parts.map(({ mimeType }) => mimeType)).toEqual(
      uris.map(() => 'application/octet-stream'),
    );
    const bytes = Buffer.concat(parts.map(({ blob = '' }) => Buffer.from(blob, 'base64')));
    expect(bytes.equals(PICTURE)).toBe(true);
  });

  test('is stored up to a limit and says how many bytes are lost', async () => {
    const address = anAddress();
    const { shown, uris, text } = await call('endless', { address });

    expect(text).toContain(
      `the first ${64 * KIB} bytes are shown, the next ${192 * KIB} bytes are kept until `,
    );
    expect(text).toContain(
      `is lost: ${64 * KIB} of the ${320 * KIB} bytes that the target API announced.`,
    );
    expect(shown + textOf(await readAll(uris, { address }))).toHaveLength(256 * KIB);
  });

  test('is stored a limited number of times per hour and caller, without limiting calls', async () => {
    await publish('popular');
    const asker = { slug: 'popular', address: anAddress() };
    const limits = { ...router.ports.settings.limits, kept_answers_per_hour_per_caller: 2 };
    const { instance, tableName } = router.store;
    const counters = dynamoCounters(instance(), tableName('limits'), limits);
    const send = server({ ...router.ports, counters });
    const kept = [];
    for (let calls = 0; calls < 3; calls += 1) {
      kept.push((await call('long', { ...asker, send })).uris.length > 0);
    }
    expect(kept).toEqual([true, true, false]);
    expect((await call('long', { ...asker, address: anAddress(), send })).uris).not.toEqual([]);
  });

  test('is not stored in part where a part is useless', async () => {
    const { result, text, uris } = await call('endlessPicture');

    expect([result.isError, uris]).toEqual([true, []]);
    expect(text).toContain(`image/png of ${2 * PICTURE.length} bytes`);
    expect(s3Calls('PutObject')).toBe(0);
  });

  test('is also stored for a legacy call', async () => {
    const address = anAddress();
    const event = post(at('files', '/tool'), { name: 'long' }, {}, address);
    const { shown, uris } = readable(JSON.parse((await router.send(event)).body));

    expect(shown + textOf(await readAll(uris, { address })) === LONG).toBe(true);
  });

  test('is also stored for a call of a searched operation', async () => {
    await publish('searched', { publication: { toolMode: 'search' } });
    const asker = { slug: 'searched', address: anAddress() };
    const params = { name: 'call_operation', arguments: { name: 'long' } };
    const { shown, uris } = readable((await ask(rpc('tools/call', params), asker)).result);

    expect(shown + textOf(await readAll(uris, asker)) === LONG).toBe(true);
  });

  test('does not appear in resources/list', async () => {
    const address = anAddress();
    await call('long', { address });

    expect((await ask(rpc('resources/list'), { address })).result.resources).toEqual([]);
  });

  test('is stored with one write per part, and a short answer with none', async () => {
    const { uris } = await call('long');
    expect(s3Calls('PutObject')).toBe(uris.length);

    await call('short');
    expect(s3Calls('PutObject')).toBe(uris.length);
  });

  test('leaves no trace of its URIs in the log', async () => {
    const before = router.lines.length;
    const address = anAddress();
    const { uris } = await call('long', { address });
    await readAll(uris, { address });
    await read(UNKNOWN);

    const lines = JSON.stringify(router.lines.slice(before));
    for (const uri of [...uris, UNKNOWN]) {
      expect(lines).not.toContain(uri);
      expect(lines).not.toContain(new URL(uri).host);
    }
  });
});

describe('long answers in a batch', () => {
  const batch = (...names: string[]) => names.map((name, id) => rpc('tools/call', { name }, id));

  test('share the size limit, and each can be read to its end', async () => {
    const address = anAddress();
    const asker = { address, send: own.send };
    const answers = await ask(batch('large', 'controls', 'largePicture', 'short', 'large'), asker);

    const results = answers.map(({ result }: { result: never }) => readable(result));
    const wholes = [];
    for (const { shown, uris } of results) {
      wholes.push(shown + textOf(await readAll(uris, asker)));
    }
    expect(results[3].text).toBe('short');
    expect([wholes[0] === LARGE, wholes[4] === LARGE]).toEqual([true, true]);
    expect(wholes[1]).toHaveLength(1_000_000);
    expect(results[2].text).toMatch(/^The answer is image\/png/);
  });

  test('are only cut where nothing is stored', async () => {
    const { settings } = own.ports;
    const limits = { ...settings.limits, kept_answer_max_bytes: 0 };
    const send = server({ ...own.ports, settings: { ...settings, limits } });
    const answers = await ask(batch('controls', 'controls', 'controls'), { send });

    expect(answers[0].result.content[0].text).toContain('are shown, ');
    expect(answers[2].error.data).toEqual({ reason: 'answer_too_large' });
  });
});

describe('the stored rest of a long answer', () => {
  const notFound = (uri: string) => ({
    code: -32002,
    message:
      'This part of a long answer is not here for you, or not any more: call the tool again to get another.',
    data: { uri },
  });
  /** Of an answer in two parts. */
  const kept = async (asker: Asker) => (await call('long', asker)).uris[0] ?? '';

  test('is readable only from the same IP address at a public deployment', async () => {
    const address = anAddress();
    const uri = await kept({ address });

    expect((await read(uri, { address })).result.contents).toHaveLength(1);
    expect((await read(uri, { address: anAddress() })).error).toEqual(notFound(uri));
  });

  test('is readable from the same IPv6 /64 network', async () => {
    const uri = await kept({ address: '2001:db8:7:1::1' });

    expect((await read(uri, { address: '2001:db8:7:1:ffff::2' })).result.contents).toHaveLength(1);
    expect((await read(uri, { address: '2001:db8:7:2::1' })).error).toEqual(notFound(uri));
  });

  test('is readable only by the same user, with any token', async () => {
    const deployment = await publish('login', {
      authMethod: 'oauth',
      access: { mode: 'any_user' },
    });
    const asUser = async (userId: string): Promise<Asker> => ({
      slug: 'login',
      headers: bearer(await anAccessToken(router, deployment, { userId })),
    });
    const uri = await kept(await asUser('ann'));

    expect((await read(uri, await asUser('ann'))).result.contents).toHaveLength(1);
    expect((await read(uri, await asUser('bob'))).error).toEqual(notFound(uri));
  });

  test('is readable only at the same deployment', async () => {
    const address = anAddress();
    const uri = await kept({ address });

    expect((await read(uri, { address, slug: 'others' })).error).toEqual(notFound(uri));
  });

  test.each([
    [599, true],
    [600, false],
  ])('is readable for ten minutes: after %d s', async (seconds, isThere) => {
    const address = anAddress();
    const uri = await kept({ address });
    router.clock.time += seconds;

    const { result, error } = await read(uri, { address });
    expect([result !== undefined, error]).toEqual([isThere, isThere ? undefined : notFound(uri)]);
  });

  test.each([
    UNKNOWN,
    'kept-answer://x/1',
    `kept-answer://${'0'.repeat(64)}/../1`,
    'Kept-Answer:',
    `kept-answer://${'A'.repeat(64)}/1`,
  ])('is not found under a URI that was never issued: %s', async (uri) => {
    expect((await read(uri)).error).toEqual(notFound(uri));
  });

  test('ends with its last part', async () => {
    const address = anAddress();
    const uri = await kept({ address });
    const beyond = uri.replace(/\d+$/, '99');

    expect((await read(beyond, { address })).error).toEqual(notFound(beyond));
  });

  test('is unavailable while S3 fails and readable afterwards', async () => {
    const address = anAddress();
    const uri = await kept({ address });
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'GetObject' } });
    const event = post(at('files', '/messages'), rpc('resources/read', { uri }), {}, address);
    expect((await router.send(event)).statusCode).toBe(503);
    expect(JSON.stringify(router.lines.at(-1))).not.toContain(new URL(uri).host);

    router.store.aws.faults.clear();
    expect((await read(uri, { address })).result.contents).toHaveLength(1);
  });
});

describe('a long answer that must not be stored', () => {
  test('is cut where the limit is zero', async () => {
    const { text, uris } = await call('long', { send: limited({ kept_answer_max_bytes: 0 }) });

    expect(text).toContain('are missing.');
    expect([uris, s3Calls('PutObject')]).toEqual([[], 0]);
  });

  test('is cut where the owner tests the tool', async () => {
    const { ownerId, id, slug, version } = await publish('tried');
    const { result } = await tryTool(router.ports, {
      deployment: { id, slug, ownerId, version, answerTokenBudget: null },
      tool: 'long',
      arguments: {},
      sender: { ip: anAddress(), userAgent: undefined, requestId: 'r' },
    });

    expect(JSON.stringify(result)).toContain('are missing.');
    expect(s3Calls('PutObject')).toBe(0);
  });
});

describe('a long answer that cannot be stored', () => {
  test.each(['deny', 'fail', 'drop'] as const)(
    'is cut, and the log names the reason: %s',
    async (kind) => {
      router.store.aws.faults.inject({ kind, on: { operation: 'PutObject' } });
      const { result, text, uris } = await call('long');

      expect([result.isError, uris]).toEqual([undefined, []]);
      const total = Buffer.byteLength(LONG);
      expect(text).toMatch(
        new RegExp(`the first \\d+ of ${total} bytes are shown, \\d+ are missing\\.`),
      );
      expect(router.lines.at(-1)).toMatchObject({
        status: 200,
        rpc: [{ tool: 'long', outcome: 'ok', why: expect.stringMatching(/^s3: \w+$/) }],
      });
    },
  );

  test('is an error where it is an image', async () => {
    router.store.aws.faults.inject({ kind: 'deny', on: { operation: 'PutObject' } });

    expect((await call('picture')).result.isError).toBe(true);
  });
});

describe('a secret that the target API echoes in a long answer', () => {
  test('is masked in all parts, even across their borders', async () => {
    const { ownerId } = await publish('secretive', {}, own);
    const credential = { type: 'bearer', token: SECRET } as const;
    await setCredential(own.owner, {
      ownerId,
      slug: 'secretive',
      credential,
      origins: [target.url],
    });
    const asker = { slug: 'secretive', address: anAddress(), send: own.send };

    const { shown, uris } = await call('echoing', asker);
    const parts = await readAll(uris, asker);

    expect(parts.length).toBeGreaterThan(0);
    for (const text of [shown, ...parts.map((part) => part.text ?? '')]) {
      expect(text.replaceAll('[masked], ', '').length).toBeLessThan(20);
      expect(text).not.toMatch(/canary|4711/);
    }
    const whole = shown + textOf(parts);
    expect(whole === ECHOED.replaceAll(SECRET, '[masked]')).toBe(true);
  });

  test.each([0, 1, 6, 12, 17])(
    'is masked where it begins %d bytes before the end of the first part',
    async (before) => {
      const { ownerId, slug } = await publish(`straddling-${before}`);
      const credential = { type: 'bearer', token: SECRET } as const;
      await setCredential(router.owner, { ownerId, slug, credential, origins: [target.url] });
      const send = limited({ target_response_max_bytes: SECRET.length * 3 + 6 + before });
      const asker = { slug, address: anAddress(), send };

      const { shown, uris } = await call('echoing', asker);
      const [{ text: next = '' } = {}] = (await read(uris[0] ?? '', asker)).result.contents;

      expect(`${shown}${next.slice(0, 100)}`).not.toMatch(/canary|4711/);
    },
  );
});
