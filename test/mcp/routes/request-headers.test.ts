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
  target = await anHttpServer(({ headers }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(headers));
  });
});
afterAll(async () => {
  await router.stop();
  await target[Symbol.asyncDispose]();
});

const publish = (slug: string, over: Partial<Deployment>) => {
  const header = (name: string) => ({ name, in: 'header', schema: { type: 'string' } });
  const paths = {
    '/orders': {
      get: anOperation({
        operationId: 'listOrders',
        parameters: [header('x_tenant'), header('X-Page')],
      }),
    },
  };
  const { tools } = compiled(aDescription({ paths, servers: [{ url: target.url }] }));
  return router.publish(slug, over, { tools: toToolIndex(tools).tools });
};

const sentHeaders = async (slug: string, args: object): Promise<Record<string, string>> => {
  const sent = rpc('tools/call', { name: 'listOrders', arguments: args });
  const { body } = await router.send(post(at(slug, '/messages'), sent, {}, anAddress()));
  return JSON.parse(JSON.parse(body ?? '').result.content[0].text);
};

describe('headers that an owner sets for all calls', () => {
  test('go with each call, in place of an argument of the same name', async () => {
    await publish('tenant', { requestHeaders: { 'X-Tenant': 'acme', 'user-agent': 'Acme/1' } });

    const headers = await sentHeaders('tenant', { x_tenant: 'other', 'X-Page': '2' });

    expect(headers).toMatchObject({
      'x-tenant': 'acme',
      'x-page': '2',
      'user-agent': 'Acme/1',
      accept: 'application/json, */*;q=0.1',
    });
    expect(headers).not.toHaveProperty('x_tenant');
  });

  test('are none where nothing was said', async () => {
    await publish('plain', {});

    expect(await sentHeaders('plain', { x_tenant: 'other' })).toMatchObject({ x_tenant: 'other' });
  });
});
