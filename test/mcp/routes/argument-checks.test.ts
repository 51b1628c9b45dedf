import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

let router: TestRouter;
let target: TargetServer;

beforeAll(async () => {
  router = await startRouter();
  target = await anHttpServer(({ url, headers, body }, response) => {
    response.setHeader('content-type', 'application/json');
    const type = headers['content-type'] ?? null;
    response.end(JSON.stringify({ url, type, body }));
  });
  await publish('strict', {});
  await publish('lenient', { argumentChecks: 'lenient' });
  await publish('one-strict', {
    argumentChecks: 'lenient',
    publication: { overrides: { addPet: { argumentChecks: 'strict' } } },
  });
  await publish('one-lenient', {
    publication: { overrides: { addPet: { argumentChecks: 'lenient' } } },
  });
});
afterAll(async () => {
  await router.stop();
  await target[Symbol.asyncDispose]();
});

const publish = (slug: string, over: Partial<Deployment>) => {
  const schema = {
    type: 'object',
    required: ['name', 'age'],
    properties: {
      name: { type: 'string' },
      age: { type: 'integer' },
      born: { type: 'string', format: 'date' },
      code: { type: 'string', pattern: '^[A-Z]+$' },
      kind: { type: 'string', enum: ['cat', 'dog'] },
      tags: { type: 'array', items: { type: 'string' } },
      owner: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const q = { name: 'q', in: 'query', required: true, schema: { type: 'string' } };
  const since = { name: 'since', in: 'query', schema: { type: 'string', format: 'date-time' } };
  const text = { schema: { type: 'string' } };
  const paths = {
    '/pets/{id}': {
      post: anOperation({
        operationId: 'addPet',
        parameters: [id, q, since],
        requestBody: { required: true, content: { 'application/json': { schema } } },
      }),
    },
    '/images': {
      post: anOperation({
        operationId: 'addImage',
        requestBody: {
          required: true,
          content: { 'text/plain': text, 'application/octet-stream': text },
        },
      }),
    },
  };
  const { tools } = compiled(aDescription({ paths, servers: [{ url: target.url }] }));
  return router.publish(slug, over, { tools: toToolIndex(tools).tools });
};

const call = async (slug: string, args: object, name = 'addPet') => {
  const sent = rpc('tools/call', { name, arguments: args });
  const { body } = await router.send(post(at(slug, '/messages'), sent, {}, anAddress()));
  return JSON.parse(body ?? '');
};
const told = async (slug: string, args: object, name?: string) =>
  JSON.parse((await call(slug, args, name)).result.content[0].text);

describe('a call without what the description requires', () => {
  test.each(['strict', 'one-strict'])('is refused by %s, and named on record', async (slug) => {
    const { error } = await call(slug, { id: 1, name: 'Rex' });

    expect(error).toMatchObject({
      code: -32602,
      message: 'Invalid arguments: /q is required; /age is required.',
    });
    expect(router.lines.findLast((line) => line['message'] === 'tool_call')).toMatchObject({
      tool: 'addPet',
      outcome: 'refused',
      faults: [
        { argument: 'q', keyword: 'required' },
        { argument: 'age', keyword: 'required' },
      ],
    });
  });

  test.each(['lenient', 'one-lenient'])('is sent by %s as it is given', async (slug) => {
    expect(await told(slug, { id: 1, name: 'Rex' })).toMatchObject({
      url: '/pets/1',
      body: '{"name":"Rex"}',
    });
  });

  test('is refused by lenient checks where the path needs it', async () => {
    expect((await call('lenient', { name: 'Rex' })).error.message).toContain('/id is required');
  });
});

describe('a call with a value of another kind than is described', () => {
  const rest = { id: 1, q: 'x', name: 'Rex', age: 3 };

  test.each([
    ['a text for a number', { age: 'old' }, { argument: 'age', keyword: 'type', sent: 'string' }],
    ['an object for a text', { name: { en: 'Rex' } }, { argument: 'name', keyword: 'type' }],
    ['one for a choice of scalars', { owner: { id: 1 } }, { argument: 'owner', keyword: 'type' }],
    ['null for a text', { name: null }, { argument: 'name', keyword: 'type', sent: 'null' }],
    ['another format', { born: 'today' }, { argument: 'born', keyword: 'format' }],
    ['another pattern', { code: 'abc' }, { argument: 'code', keyword: 'pattern' }],
  ])('is refused with %s, named on record, and sent by lenient checks', async (_, args, fault) => {
    expect((await call('strict', { ...rest, ...args })).error.code).toBe(-32602);
    expect(router.lines.findLast((line) => line['message'] === 'tool_call')).toMatchObject({
      faults: [fault],
    });
    const { body } = await told('lenient', { ...rest, ...args });
    expect(JSON.parse(body)).toEqual({ name: 'Rex', age: 3, ...args });
  });

  test.each([
    ['in the path', { id: 'rex' }, '/pets/rex?q=x'],
    ['in the query', { since: 'now' }, '/pets/1?q=x&since=now'],
  ])('is sent by lenient checks where it is a scalar %s', async (_, args, url) => {
    expect((await call('strict', { ...rest, ...args })).error.code).toBe(-32602);
    expect(await told('lenient', { ...rest, ...args })).toMatchObject({ url });
  });

  test.each([
    ['an object in the query', { q: { a: 1 } }, { argument: 'q', keyword: 'structure' }],
    ['a text for a list', { tags: 'a' }, { argument: 'tags', keyword: 'structure' }],
    ['none of the values', { kind: 'cow' }, { argument: 'kind', keyword: 'enum' }],
  ])('is refused by lenient checks as well with %s', async (_, args, fault) => {
    expect((await call('lenient', { ...rest, ...args })).error.code).toBe(-32602);
    expect(router.lines.findLast((line) => line['message'] === 'tool_call')).toMatchObject({
      faults: [fault],
    });
  });
});

describe('a body that may be text or bytes', () => {
  test('goes out as what was given', async () => {
    expect(await told('strict', { body: 'plain' }, 'addImage')).toMatchObject({
      type: 'text/plain',
      body: 'plain',
    });
    const data = Buffer.from('of a tar').toString('base64');
    expect(await told('strict', { body: { data } }, 'addImage')).toMatchObject({
      type: 'application/octet-stream',
      body: 'of a tar',
    });
    const file = { data, contentType: 'application/x-tar' };
    expect(await told('strict', { body: file }, 'addImage')).toMatchObject({
      type: 'application/x-tar',
    });
  });

  test('is refused where it is neither', async () => {
    const { error } = await call('strict', { body: { data: '!' } }, 'addImage');

    expect(error.message).toContain('/body is not valid base64');
  });
});
