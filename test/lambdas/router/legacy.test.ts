import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startRouter, type TestRouter } from '../../support/router.ts';
import { at, get, post, rpc } from '../../support/router-events.ts';

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

describe('D16 the legacy endpoint', () => {
  test.each(['name', 'tool'])('calls a tool by its %s', async (key) => {
    const { statusCode, answer } = await use({ [key]: 'getPet', arguments: { id: 7 } });

    expect(statusCode).toBe(200);
    expect(JSON.parse(answer.content[0].text)).toMatchObject({ path: '/echo/pets/7' });
  });

  test('needs no arguments where the tool needs none', async () => {
    expect((await use({ name: 'nothing' })).answer).toHaveProperty('content');
  });

  test('passes on an error of the target as a result', async () => {
    const { statusCode, answer } = await use({ name: 'fail', arguments: { status: 500 } });
    expect([statusCode, answer.isError]).toEqual([200, true]);
  });

  test('lists the tools', async () => {
    const { statusCode, body } = await router.send(get(TOOL));

    expect(statusCode).toBe(200);
    const listed = await router.send(post(at('pets', '/messages'), rpc('tools/list')));
    expect(JSON.parse(body)).toEqual(JSON.parse(listed.body).result);
  });

  test('speaks JSON-RPC to those who do', async () => {
    for (const sent of [rpc('tools/list'), [rpc('ping')], { jsonrpc: '2.0', method: 'x' }]) {
      const there = await router.send(post(at('pets', '/messages'), sent));
      expect(await router.send(post(TOOL, sent))).toEqual(there);
    }
  });

  test.each([
    ['no tool', {}, 400, -32602],
    ['a name that is no string', { name: 7 }, 400, -32602],
    ['an unknown tool', { name: 'toString' }, 400, -32602],
    ['wrong arguments', { name: 'getPet', arguments: { id: 'x' } }, 400, -32602],
    ['arguments that are none', { name: 'getPet', arguments: [] }, 400, -32602],
    ['a list', [], 400, -32602],
    ['a number', 7, 400, -32602],
    ['null', 'null', 400, -32602],
    ['no JSON', '{', 400, -32700],
    ['a million levels', `${'['.repeat(1e6)}${']'.repeat(1e6)}`, 400, -32600],
    ['a target that is not there', { name: 'closed' }, 502, -32000],
  ])('refuses %s', async (_, sent, statusCode, code) => {
    expect(await use(sent)).toMatchObject({ statusCode, answer: { error: { code } } });
  });

  test('T5 takes JSON only', async () => {
    expect((await use({ name: 'nothing' }, { 'content-type': 'text/plain' })).statusCode).toBe(415);
  });

  test('T8 takes 4 MB at most', async () => {
    expect((await use(`"${'x'.repeat(4 * 1024 * 1024)}"`)).statusCode).toBe(413);
  });

  test('T7 takes no malformed origin', async () => {
    expect((await use({ name: 'nothing' }, { origin: 'x' })).statusCode).toBe(403);
  });

  test('T8 says so where an answer would not fit', async () => {
    const { body } = await router.send(post(TOOL, { name: 'large' }));
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(6 * 1024 * 1024);
  });
});

describe('the base URL', () => {
  const BASE = at('pets');

  test('speaks JSON-RPC exactly as /messages does', async () => {
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

  test('T5 takes JSON-RPC as JSON only', async () => {
    const event = post(BASE, rpc('ping'), { 'content-type': 'text/plain' });
    expect((await router.send(event)).statusCode).toBe(415);
  });

  test('T8 takes 4 MB at most', async () => {
    expect((await router.send(post(BASE, 'x'.repeat(4_194_305)))).statusCode).toBe(413);
  });

  test('D9 is a silent stream for those who accept nothing else', async () => {
    const { statusCode, body } = await router.send(get(BASE, { accept: 'text/event-stream' }));
    expect([statusCode, body]).toEqual([200, 'retry: 3600000\ndata:\n\n']);
  });

  test.each(['text/event-stream, application/json', '*/*', 'text/html', undefined])(
    'D9 is the discovery document for Accept: %p',
    async (accept) => {
      const { body } = await router.send(get(BASE, { accept }));
      expect(JSON.parse(body)).toHaveProperty('protocol_version');
    },
  );
});
