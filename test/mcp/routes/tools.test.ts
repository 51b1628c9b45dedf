import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { modernPost } from '../../support/mcp/modern-requests.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { at, post, rpc } from '../../support/mcp/router-events.ts';
import { toolOf } from '../../support/openapi/compile.ts';
import { aTool } from '../../support/mcp/router-tools.ts';

let router: TestRouter;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('pets');
  const { operation: _, ...listed } = toolOf({ operationId: 'addPet', summary: 'Add a pet' });
  const titled = { ...aTool('addPet', 'https://pets.example'), listed: JSON.stringify(listed) };
  await router.publish('titled', {}, { tools: [titled] });
});

afterAll(() => router.stop());

const call = async (name: unknown, args?: unknown) => {
  const params = { name, ...(args !== undefined && { arguments: args }) };
  const reply = await router.send(post(at('pets', '/messages'), rpc('tools/call', params)));
  expect(reply.statusCode).toBe(200);
  return JSON.parse(Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8').toString());
};
const echoed = async (name: string, args?: unknown) =>
  JSON.parse((await call(name, args)).result.content[0].text);

describe('tools/list', () => {
  test('lists each tool as it was compiled', async () => {
    const { body } = await router.send(post(at('pets', '/messages'), rpc('tools/list')));
    const { tools } = JSON.parse(body).result;

    expect(tools).toHaveLength(10);
    expect(tools[0]).toMatchObject({
      name: 'getPet',
      description: 'Does getPet.',
      inputSchema: { type: 'object', required: ['id'] },
      annotations: { title: 'The getPet' },
    });
  });

  test.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
    'lists a tool with its title in the version %s',
    async (version) => {
      const path = at('titled', '/messages');
      const event =
        version === '2026-07-28'
          ? modernPost(path, 'tools/list')
          : post(path, rpc('tools/list'), { 'mcp-protocol-version': version });
      const [tool] = JSON.parse((await router.send(event)).body).result.tools;

      expect(tool).toMatchObject({ title: 'Add a pet', annotations: { title: 'Add a pet' } });
    },
  );

  test('lists the tools of a new version as soon as it is served', async () => {
    const { version } = await router.publish('growing', {}, { tools: [] });
    const event = () => post(at('growing', '/messages'), rpc('tools/list'));
    expect(JSON.parse((await router.send(event())).body).result.tools).toEqual([]);
    expect(version).toBe(1);
  });
});

describe('tools/call', () => {
  test('sends the request of the operation', async () => {
    expect(await echoed('getPet', { id: 7, verbose: true, tag: 'cat' })).toMatchObject({
      method: 'GET',
      path: '/echo/pets/7?verbose=true&tag=cat',
      body: '',
    });
  });

  test('sends a request body', async () => {
    expect(await echoed('addPet', { name: 'Rex', age: 3, colour: 'brown' })).toMatchObject({
      method: 'POST',
      path: '/echo/pets',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Rex","age":3,"colour":"brown"}',
    });
  });

  test.each([
    ['a number in a string', { id: '7' }, '/echo/pets/7'],
    ['a boolean in a string', { id: 7, verbose: 'true' }, '/echo/pets/7?verbose=true'],
  ])('accepts %s, as clients send it', async (_, args, path) => {
    expect(await echoed('getPet', args)).toMatchObject({ path });
  });

  test('calls a tool named like a member of Object.prototype', async () => {
    expect(await echoed('constructor')).toMatchObject({ path: '/echo/constructor' });
  });

  test.each([
    ['no name', undefined, {}, '/name'],
    ['a name that is not a string', 7, {}, '/name'],
    ['an unknown tool', 'getpet', {}, '/name'],
    ['an inherited name', '__proto__', {}, '/name'],
    ['another inherited name', 'toString', {}, '/name'],
    ['a missing argument', 'getPet', {}, '/id'],
    ['no arguments where one is required', 'getPet', undefined, '/id'],
    ['an argument of the wrong type', 'getPet', { id: 'seven' }, '/id'],
    ['an argument that is not in its enum', 'getPet', { id: 1, tag: 'cow' }, '/tag'],
    ['an unknown argument', 'getPet', { id: 1, mood: 'good' }, '/mood'],
    ['an inherited argument', 'getPet', JSON.parse('{"id":1,"__proto__":{}}'), '/__proto__'],
  ])('refuses %s and names the place', async (_, name, args, path) => {
    const { error } = await call(name, args);

    expect(error).toMatchObject({ code: -32602, data: { errors: [{ path }] } });
  });

  test('reports every invalid argument', async () => {
    const { error } = await call('getPet', { tag: 'cow', mood: 'good' });

    const paths = error.data.errors.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual(['/id', '/mood', '/tag']);
  });

  test.each([[[]], ['text'], [7]])('refuses %j in place of arguments', async (args) => {
    expect(await call('nothing', args)).toMatchObject({ error: { code: -32602 } });
  });
});

describe('the answer of the target API in a tool result', () => {
  test('is returned unchanged as text', async () => {
    const { result } = await call('fail', { status: 201 });
    expect(result).toEqual({ content: [{ type: 'text', text: '{"reason":"as you wish"}' }] });
  });

  test.each([400, 401, 404, 429, 500, 503])(
    'is a result with isError for the status %d',
    async (status) => {
      const { result } = await call('fail', { status });

      expect(result.isError).toBe(true);
      expect(result.content[0].text).toContain(String(status));
      expect(result.content[0].text).toContain('{"reason":"as you wish"}');
    },
  );

  test('is an image where the target API sends one', async () => {
    expect((await call('image')).result.content).toEqual([
      { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
    ]);
  });

  test('is a sentence where the body is empty', async () => {
    expect((await call('nothing')).result.content[0].text).toContain('204');
  });

  test('fits the response limit of Lambda, however large it is', async () => {
    const event = post(at('pets', '/messages'), rpc('tools/call', { name: 'large' }));
    const reply = await router.send(event);

    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(6 * 1024 * 1024);
    expect(reply.statusCode).toBe(200);
  });

  test('fits the response limit in a batch, with each answer cut to its share', async () => {
    const batch = [1, 2, 3].map((id) => rpc('tools/call', { name: 'large' }, id));
    const reply = await router.send(post(at('pets', '/messages'), batch));

    expect(Buffer.byteLength(JSON.stringify(reply))).toBeLessThan(6 * 1024 * 1024);
    const text = Buffer.from(reply.body, reply.isBase64Encoded ? 'base64' : 'utf8').toString();
    const answers: { id: number; result: { content: { text: string }[] } }[] = JSON.parse(text);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3]);
    for (const { result } of answers) {
      expect(result.content[0]?.text).toContain('[The answer is too long for one result');
    }
  });
});

describe('a target API that does not answer', () => {
  test.each([
    ['hangUp', 'connection_failed'],
    ['private', 'blocked_address'],
    ['closed', 'connection_refused'],
  ])('is reported as an error with its reason: %s', async (name, reason) => {
    const { error } = await call(name);

    expect(error).toMatchObject({ code: -32000, data: { reason } });
    expect(error.message).toMatch(/target API/);
  });

  test('is logged as a security event where its address is private', async () => {
    const before = router.lines.length;
    await call('private');

    expect(router.lines.slice(before)).toContainEqual(
      expect.objectContaining({
        type: 'security',
        event: 'blocked_target_address',
        slug: 'pets',
        why: 'blocked_address',
      }),
    );
  });
});
