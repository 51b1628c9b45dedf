import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, get, post, rpc } from '../../support/mcp/router-events.ts';

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets');
});

afterAll(() => router.stop());

const TOOL = at('pets', '/tool');
const use = async (sent: unknown, headers = {}) => {
  const { statusCode, body } = await router.send(post(TOOL, sent, headers));
  return { statusCode, answer: JSON.parse(body) };
};

describe('the legacy endpoint /tool', () => {
  test.each(['name', 'tool'])('calls a tool by the member %s', async (key) => {
    const { statusCode, answer } = await use({ [key]: 'getPet', arguments: { id: 7 } });

    expect(statusCode).toBe(200);
    expect(JSON.parse(answer.content[0].text)).toMatchObject({ path: '/echo/pets/7' });
  });

  test('does not require arguments where the tool needs none', async () => {
    expect((await use({ name: 'nothing' })).answer).toHaveProperty('content');
  });

  test('returns an error of the target API as a result', async () => {
    const { statusCode, answer } = await use({ name: 'fail', arguments: { status: 500 } });
    expect([statusCode, answer.isError]).toEqual([200, true]);
  });

  test('lists the tools for GET', async () => {
    const { statusCode, body } = await router.send(get(TOOL));

    expect(statusCode).toBe(200);
    const listed = await router.send(post(at('pets', '/messages'), rpc('tools/list')));
    expect(JSON.parse(body)).toEqual(JSON.parse(listed.body).result);
  });

  test('answers JSON-RPC like /messages', async () => {
    for (const sent of [rpc('tools/list'), [rpc('ping')], { jsonrpc: '2.0', method: 'x' }]) {
      const there = await router.send(post(at('pets', '/messages'), sent));
      expect(await router.send(post(TOOL, sent))).toEqual(there);
    }
  });

  test.each([
    ['no tool', {}, 400, -32602],
    ['a name that is not a string', { name: 7 }, 400, -32602],
    ['an unknown tool', { name: 'toString' }, 400, -32602],
    ['wrong arguments', { name: 'getPet', arguments: { id: 'x' } }, 400, -32602],
    ['arguments that are not an object', { name: 'getPet', arguments: [] }, 400, -32602],
    ['an array', [], 400, -32602],
    ['a number', 7, 400, -32602],
    ['null', 'null', 400, -32602],
    ['malformed JSON', '{', 400, -32700],
    ['a million levels of nesting', `${'['.repeat(1e6)}${']'.repeat(1e6)}`, 400, -32600],
    ['a target API that is down', { name: 'closed' }, 502, -32000],
  ])('answers %s with an error', async (_, sent, statusCode, code) => {
    expect(await use(sent)).toMatchObject({ statusCode, answer: { error: { code } } });
  });

  test('accepts JSON only', async () => {
    expect((await use({ name: 'nothing' }, { 'content-type': 'text/plain' })).statusCode).toBe(415);
  });

  test('accepts at most 4 MB', async () => {
    expect((await use(`"${'x'.repeat(4 * 1024 * 1024)}"`)).statusCode).toBe(413);
  });

  test('refuses a malformed origin', async () => {
    expect((await use({ name: 'nothing' }, { origin: 'x' })).statusCode).toBe(403);
  });

  test('keeps a large answer below the response limit of Lambda', async () => {
    const { body } = await router.send(post(TOOL, { name: 'large' }));
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(6 * 1024 * 1024);
  });
});

describe('the base URL of a deployment', () => {
  const BASE = at('pets');

  test('answers JSON-RPC exactly as /messages does', async () => {
    for (const sent of [
      rpc('ping'),
      rpc('tools/call', { name: 'fail', arguments: { status: 404 } }),
      rpc('no/such'),
      rpc('ping', {}, null),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, method: 7 },
      [rpc('ping'), rpc('ping', {}, 2)],
    ]) {
      const there = await router.send(post(at('pets', '/messages'), sent));
      expect(await router.send(post(BASE, sent))).toEqual(there);
    }
  });

  test('accepts JSON-RPC only as JSON', async () => {
    const event = post(BASE, rpc('ping'), { 'content-type': 'text/plain' });
    expect((await router.send(event)).statusCode).toBe(415);
  });

  test('accepts at most 4 MB', async () => {
    expect((await router.send(post(BASE, 'x'.repeat(4_194_305)))).statusCode).toBe(413);
  });

  test('is an empty event stream for Accept: text/event-stream', async () => {
    const { statusCode, body } = await router.send(get(BASE, { accept: 'text/event-stream' }));
    expect([statusCode, body]).toEqual([200, 'retry: 3600000\n\n']);
  });

  test.each(['text/event-stream, application/json', '*/*', 'text/html', undefined])(
    'is the discovery document for Accept: %p',
    async (accept) => {
      const { body } = await router.send(get(BASE, { accept }));
      expect(JSON.parse(body)).toHaveProperty('protocol_version');
    },
  );
});
