import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import type { Json } from '../../../layers/platform/rules/json/json.ts';
import { toToolIndex } from '../../../layers/openapi/tool-index.ts';
import { compiled } from '../../support/openapi/compile.ts';
import { aDescription, anOperation } from '../../support/openapi/intake.ts';
import { startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';
import {
  anHttpServer,
  anHttpsServer,
  certificate,
  type TargetServer,
} from '../../support/target/target-server.ts';

let router: TestRouter;
let target: TargetServer;

beforeAll(async () => {
  router = await startRouter();
  target = await anHttpServer(({ url = '' }, response) => {
    response.writeHead(Number(/\d+/.exec(url)), { 'content-type': 'application/json' });
    response.end('{"message":"who are you?"}');
  });
  const operation = (operationId: string, security?: Json) =>
    anOperation({ operationId, ...(security !== undefined && { security }) });
  const paths = {
    '/401': { get: operation('plain'), post: operation('login', []) },
    '/401/keyed': { get: operation('keyed', [{ apiKey: [], tenant: [] }, { token: [] }]) },
    '/401/either': { get: operation('either', [{}, { token: [] }]) },
    '/403': { get: operation('forbidden') },
    '/401/sign-in': {
      post: {
        ...operation('sign_in'),
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
      },
    },
    '/404': { get: operation('absent') },
  };
  const { tools } = compiled(aDescription({ paths, servers: [{ url: target.url }] }));
  await router.publish('orders', {}, { tools: toToolIndex(tools).tools });
});
afterAll(async () => {
  await router.stop();
  await target[Symbol.asyncDispose]();
});

const noted = async (name: string, args: object = {}): Promise<readonly string[]> => {
  const sent = rpc('tools/call', { name, arguments: args });
  const { body } = await router.send(post(at('orders', '/messages'), sent, {}, anAddress()));
  return JSON.parse(body ?? '')
    .result.content.map(({ text }: { text: string }) => text)
    .filter((text: string) => text.startsWith('[The target API'));
};

describe('a call of an API that has signed its certificate itself', () => {
  test('says so and who mends it, and is made once its owner trusts it', async () => {
    await using secure = await anHttpsServer((_, response) => response.end('{}'));
    const paths = { '/orders': { get: anOperation({ operationId: 'list' }) } };
    const { tools } = compiled(aDescription({ paths, servers: [{ url: secure.url }] }));
    const call = async (slug: string, over: Partial<Deployment>) => {
      await router.publish(slug, over, { tools: toToolIndex(tools).tools });
      const sent = rpc('tools/call', { name: 'list', arguments: {} });
      const { body } = await router.send(post(at(slug, '/messages'), sent, {}, anAddress()));
      return JSON.parse(body ?? '');
    };

    expect((await call('untrusted', {})).error).toMatchObject({
      message: expect.stringContaining("the server's owner can add it (`certificate_authorities`)"),
      data: { reason: 'certificate_self_signed' },
    });
    expect(await call('trusted', { certificateAuthorities: [certificate] })).toMatchObject({
      result: { content: [{ text: '{}' }] },
    });
  });
});

describe('a call without a credential', () => {
  test('that the API wants one for says whose it is to set', async () => {
    expect(await noted('plain')).toEqual([
      "[The target API wants a credential, and this server has none set for this call. Calling again does not help, and you cannot mend it: the server's owner has to set one, with `npx --no-install hosted-mcp credential set orders`, or under Credentials in the console.]",
    ]);
  });

  test('says which, as the description calls them', async () => {
    expect(await noted('keyed')).toEqual([
      expect.stringContaining('(its description calls it apiKey with tenant, or token)'),
    ]);
  });

  test.each([
    { user: 'ada', password: 'wrong' },
    { user: 'ada', old_password: 'wrong' },
    { login: { user: 'ada', Password: 'wrong' } },
  ])('that has a password says that this one may be refused: %j', async (body) => {
    expect(await noted('sign_in', { body })).toEqual([
      "[The target API refused the user name or password in the arguments, or it wants a credential that only this server's owner can set.]",
    ]);
  });

  test('that has no password does not, whatever its arguments are called', async () => {
    expect(
      await noted('sign_in', { body: { password_hint: 'x', has_password_set: true } }),
    ).toEqual([expect.stringContaining('this server has none set')]);
  });

  test('that is not allowed may be so for that', async () => {
    expect(await noted('forbidden')).toEqual([
      expect.stringContaining('which carried no credential. If that is why'),
    ]);
  });

  test.each(['login', 'either', 'absent'])(
    'says nothing where the arguments decide: %s',
    async (name) => {
      expect(await noted(name)).toEqual([]);
    },
  );
});
