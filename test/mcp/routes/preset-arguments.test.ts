import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setCredential } from '../../../layers/servers/steps/credential/credential.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { MODERN, modernPost } from '../../support/mcp/modern-requests.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

let router: TestRouter;
let target: TargetServer;

beforeAll(async () => {
  router = await startRouter();
  target = await anHttpServer((_, response) => response.end('{}'));
});
afterAll(async () => {
  await router.stop();
  await target[Symbol.asyncDispose]();
});

const text = { type: 'string' };

const publish = (slug: string, over: Partial<Deployment> = {}) => {
  const parameters = [
    { name: 'app_id', in: 'header', required: true, schema: text },
    { name: 'api_key', in: 'query', required: true, schema: text },
    { name: 'token', in: 'cookie', required: true, schema: text },
    { name: 'q', in: 'query', schema: text },
  ];
  const paths = { '/x': { get: anOperation({ operationId: 'getX', parameters }) } };
  const { tools } = compiled(aDescription({ paths, servers: [{ url: target.url }] }));
  return router.publish(slug, over, { tools: toToolIndex(tools).tools });
};

const ask = async (slug: string, method: string, params: object) => {
  const { body } = await router.send(
    post(at(slug, '/messages'), rpc(method, params), {}, anAddress()),
  );
  return JSON.parse(body ?? '');
};

const schemaOf = async (slug: string) =>
  (await ask(slug, 'tools/list', {})).result.tools[0].inputSchema;

const sentBy = async (slug: string, args: object) => {
  const reply = await ask(slug, 'tools/call', { name: 'getX', arguments: args });
  return { reply, sent: target.requests.at(-1) };
};

describe('what settings of a server say', () => {
  test('is no argument any more, where a header of the owner says it', async () => {
    await publish('headed', { requestHeaders: { 'App-Id': '17' } });
    const { properties, required } = await schemaOf('headed');

    expect(Object.keys(properties)).toEqual(['api_key', 'token', 'q']);
    expect(required).toEqual(['api_key', 'token']);
    for (const more of [{}, { app_id: 'guess' }, { app_id: null }]) {
      const { sent } = await sentBy('headed', { api_key: 'k', token: 't', ...more });
      expect(sent?.headers).toMatchObject({ 'app-id': '17' });
      expect(sent?.headers).not.toHaveProperty('app_id');
    }
  });

  test.each([
    ['query', 'api_key', ['app_id', 'token'], '/x?api_key=s3cret-s3cret'],
    ['cookie', 'token', ['app_id', 'api_key'], '/x?api_key=k'],
    ['header', 'app_id', ['api_key', 'token'], '/x?api_key=k'],
  ] as const)('is none where the credential is that %s', async (place, name, asked, url) => {
    const slug = `keyed-${place}`;
    const { ownerId } = await publish(slug);
    expect((await schemaOf(slug)).required).toEqual(['app_id', 'api_key', 'token']);
    const credential = { type: 'api_key', in: place, name, value: 's3cret-s3cret' } as const;
    await setCredential(router.owner, { ownerId, slug, credential, origins: [target.url] });
    router.clock.time += 60;

    const { properties, required } = await schemaOf(slug);
    expect(properties).not.toHaveProperty(name);
    expect(required).toEqual(asked);
    const all = { app_id: 'a', api_key: 'k', token: 't' };
    const { sent, reply } = await sentBy(slug, all);
    expect(reply.error).toBeUndefined();
    expect(sent?.url).toBe(url);
    expect(JSON.stringify(sent?.headers) + sent?.url).toContain('s3cret-s3cret');
  });

  test('is none in search mode and in 2026-07-28', async () => {
    await publish('modern', { requestHeaders: { 'App-Id': '17' } });
    const { body } = await router.send(modernPost(at('modern', '/messages'), 'tools/list'));
    expect(MODERN).toBe('2026-07-28');
    expect(JSON.parse(body ?? '').result.tools[0].inputSchema.properties).not.toHaveProperty(
      'app_id',
    );

    await publish('searched', {
      requestHeaders: { 'App-Id': '17' },
      publication: { toolMode: 'search' },
    });
    const params = { name: 'describe_operation', arguments: { name: 'getX' } };
    const { result } = await ask('searched', 'tools/call', params);
    expect(JSON.parse(result.content[0].text).inputSchema.required).toEqual(['api_key', 'token']);
  });
});
