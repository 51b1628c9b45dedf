import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { server } from '../../../lambdas/router/server.ts';
import type { Deployment } from '../../../layers/core/domain/deployment.ts';
import type { RouterPorts } from '../../../layers/core/usecases/router/index.ts';
import { NOON } from '../../adapters/dynamodb/fixtures.ts';
import { anIssuer } from '../../support/jwt-issuer.ts';
import { startRouter, type TestRouter } from '../../support/router.ts';
import { at, get, post, rpc } from '../../support/router-events.ts';
import { aMintedToken, anAccessToken, bearer } from '../../support/router-tokens.ts';

let router: TestRouter;
let count = 0;

beforeAll(async () => {
  router = await startRouter();
});
afterEach(() => router.store.aws.faults.clear());
afterAll(() => router.stop());

/** A deployment that no instance has read. */
const unread = (over: Partial<Deployment>): Promise<Deployment> => {
  count += 1;
  return router.publish(`pets-${count}`, { access: { mode: 'any_user' }, ...over });
};
const call = ({ slug }: Deployment, token: string, params: object = { name: 'nothing' }) =>
  router.send(post(at(slug, '/messages'), rpc('tools/call', params), bearer(token)));
/** What the router asked AWS for since the last reset. */
const asked = () =>
  Object.fromEntries(
    router.store.aws.calls
      .list()
      .filter(({ caller }) => caller === 'router')
      .map(({ operation, times }) => [operation, times]),
  );
const TOKEN_AND_COUNT = { GetItem: 1, UpdateItem: 1 };

describe('a warm instance asks AWS', () => {
  const warm = async (deployment: Deployment, token: string) => {
    expect((await call(deployment, token)).statusCode).toBe(200);
    router.store.aws.calls.reset();
    expect((await call(deployment, token)).statusCode).toBe(200);
    return asked();
  };

  test('twice for a call with an access token: for the token, and to count', async () => {
    const deployment = await unread({ authMethod: 'oauth' });

    expect(await warm(deployment, await anAccessToken(router, deployment))).toEqual(
      TOKEN_AND_COUNT,
    );
  });

  test('twice for a call with a minted token: for its record, and to count', async () => {
    const deployment = await unread({ authMethod: 'jwt' });
    const { text } = await aMintedToken(router, deployment);

    expect(await warm(deployment, text)).toEqual(TOKEN_AND_COUNT);
  });

  test('once for a call with a token of an external issuer: to count', async () => {
    await using issuer = await anIssuer();
    const deployment = await unread({ authMethod: 'jwt', jwtIssuer: issuer.config });

    expect(await warm(deployment, await issuer.sign())).toEqual({ UpdateItem: 1 });
    expect(issuer.asked()).toBe(1);
  });

  test('once for a call in mode none, whatever token comes with it: to count', async () => {
    const deployment = await unread({ authMethod: 'none' });

    expect(await warm(deployment, `mcp_access_${randomUUID()}`)).toEqual({ UpdateItem: 1 });
  });

  test.each([
    ['a refresh token', `mcp_refresh_${'a'.repeat(43)}`],
    ['something like an access token', 'mcp_access_1'],
    ['nothing', ''],
  ])('for no token where there is none: %s', async (_, token) => {
    const deployment = await unread({ authMethod: 'oauth' });
    await call(deployment, token);
    router.store.aws.calls.reset();
    await call(deployment, token);

    expect(asked()).toEqual({});
  });

  test('for a token, but not to count, where a scope is missing', async () => {
    const deployment = await unread({ authMethod: 'oauth' });
    const token = await anAccessToken(router, deployment, { scopes: ['mcp.tools.read'] });
    await call(deployment, token);
    router.store.aws.calls.reset();
    await call(deployment, token);

    expect(asked()).toEqual({ GetItem: 1 });
  });
});

describe('an instance that has not read a deployment', () => {
  test('reads deployment, token and tools once each', async () => {
    const deployment = await unread({ authMethod: 'oauth' });
    const userId = randomUUID();
    const token = await anAccessToken(router, deployment, { userId });
    await router.ports.usage.take(userId, 'pro', 1, NOON);
    router.store.aws.calls.reset();

    expect((await call(deployment, token)).statusCode).toBe(200);
    expect(asked()).toEqual({ GetItem: 3, UpdateItem: 1 });
  });

  test('reads no token for a public document, nor for what is no access token', async () => {
    const { slug } = await unread({ authMethod: 'oauth' });
    router.store.aws.calls.reset();
    const headers = bearer(`mcp_access_${randomUUID()}`);
    await router.send(get(at(slug, '/health'), headers));
    expect(asked()).toEqual({ GetItem: 1 });

    const other = await unread({ authMethod: 'oauth' });
    router.store.aws.calls.reset();
    await call(other, 'mcp_refresh_a');
    expect(asked()).toEqual({ GetItem: 1 });
  });

  test('reads no token for what cannot be a slug', async () => {
    router.store.aws.calls.reset();
    const headers = bearer(`mcp_access_${randomUUID()}`);
    await router.send(post(at('No_Slug', '/messages'), rpc('ping'), headers));

    expect(asked()).toEqual({});
  });

  test('reads the token while it reads the deployment', async () => {
    const deployment = await unread({ authMethod: 'oauth' });
    const token = await anAccessToken(router, deployment);
    const { send } = inStep(['accessTokens', 'find'], ['deployments', 'find']);

    const event = post(at(deployment.slug, '/messages'), rpc('ping'), bearer(token));
    expect((await send(event)).statusCode).toBe(200);
  });

  test('reads the tools while it counts', async () => {
    const deployment = await unread({ authMethod: 'oauth' });
    const token = await anAccessToken(router, deployment);
    const { send } = inStep(['toolIndexes', 'find'], ['usage', 'take']);

    const event = post(at(deployment.slug, '/messages'), rpc('tools/list'), bearer(token));
    expect((await send(event)).statusCode).toBe(200);
  });
});

/** A router in which the second call does not begin to be made before the first one has been. */
const inStep = (...[first, second]: readonly [Call, Call]) => {
  const begun = Promise.withResolvers<void>();
  const ports = {
    ...router.ports,
    ...around(first, begun.resolve),
    ...around(second, () => begun.promise),
  };
  return { send: server(ports as RouterPorts) };
};

type Call = readonly [port: keyof RouterPorts, method: string];

const around = ([port, method]: Call, before: () => unknown) => {
  const real = router.ports[port] as unknown as Record<string, (...sent: unknown[]) => unknown>;
  const called = async (...sent: unknown[]) => {
    await before();
    return real[method]!(...sent);
  };
  return { [port]: { ...real, [method]: called } };
};
