import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { server } from '../../../layers/mcp/routes/server.ts';
import type { Deployment } from '../../../layers/deployments/rules/deployment.ts';
import type { RouterPorts } from '../../../layers/mcp/steps/ports.ts';
import { NOT_BEFORE_CACHE_SECONDS } from '../../../layers/tokens/rules/not-before.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { anIssuer } from '../../support/oauth/jwt-issuer.ts';
import { startRouter } from '../../support/mcp/router.ts';
import { at, get, post, rpc } from '../../support/mcp/router-events.ts';
import { aMintedToken, anAccessToken, bearer, usageOf } from '../../support/mcp/router-tokens.ts';

let count = 0;

const router = await startRouter();
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

describe('a warm router instance', () => {
  const warm = async (deployment: Deployment, token: string) => {
    expect((await call(deployment, token)).statusCode).toBe(200);
    router.store.aws.calls.reset();
    expect((await call(deployment, token)).statusCode).toBe(200);
    return asked();
  };

  test('calls DynamoDB twice for an access token: to read it and to count', async () => {
    const deployment = await unread({ authMethod: 'oauth' });

    expect(await warm(deployment, await anAccessToken(router, deployment))).toEqual(
      TOKEN_AND_COUNT,
    );
  });

  test('makes two trips for a minted token: to read its record and its owner, and to count', async () => {
    const deployment = await unread({ authMethod: 'jwt' });
    const { text } = await aMintedToken(router, deployment);

    expect(await warm(deployment, text)).toEqual({ GetItem: 2, UpdateItem: 1 });
  });

  test('reads the record of a minted token and its owner in parallel', async () => {
    const deployment = await unread({ authMethod: 'jwt' });
    const { text } = await aMintedToken(router, deployment);
    const { send } = inStep(['signOuts', 'find'], ['mintedTokens', 'find']);

    const event = post(at(deployment.slug, '/messages'), rpc('ping'), bearer(text));
    expect((await send(event)).statusCode).toBe(200);
  });

  test('counts twice in one trip for a token of an external issuer, and calls nothing else', async () => {
    await using issuer = await anIssuer();
    const deployment = await unread({ authMethod: 'jwt', jwtIssuer: issuer.config });

    expect(await warm(deployment, await issuer.sign())).toEqual({ UpdateItem: 2 });
    expect(issuer.asked()).toBe(1);
  });

  test('calls DynamoDB once at a public deployment, whatever token is sent: to count', async () => {
    const deployment = await unread({ authMethod: 'none' });

    expect(await warm(deployment, `mcp_access_${randomUUID()}`)).toEqual({ UpdateItem: 1 });
  });

  test.each([
    ['a refresh token', `mcp_refresh_${'a'.repeat(43)}`],
    ['a malformed access token', 'mcp_access_1'],
    ['an empty token', ''],
  ])('only counts a text that is not an access token: %s', async (_, token) => {
    const deployment = await unread({ authMethod: 'oauth' });
    await call(deployment, token);
    router.store.aws.calls.reset();
    await call(deployment, token);

    expect(asked()).toEqual({ UpdateItem: 1 });
  });

  test('reads whether the holder of a token was signed out in the trip of the token, once in a while', async () => {
    const deployment = await unread({ authMethod: 'oauth' });
    const token = await anAccessToken(router, deployment);
    await call(deployment, token);
    router.clock.time += NOT_BEFORE_CACHE_SECONDS;
    const { send } = inStep(['signOuts', 'expectHolder'], ['accessTokens', 'find']);

    const event = post(at(deployment.slug, '/messages'), rpc('ping'), bearer(token));
    expect((await send(event)).statusCode).toBe(200);
    router.clock.time = NOON;
  });

  test('reads a deployment again before it refuses, once a second', async () => {
    const deployment = await unread({ authMethod: 'oauth' });
    const refused = async () => {
      router.store.aws.calls.reset();
      await call(deployment, 'not-a-token');
      return asked();
    };
    await refused();

    expect(await refused()).toEqual({ UpdateItem: 1 });
    router.clock.time += 1;
    expect(await refused()).toEqual({ GetItem: 1, UpdateItem: 1 });
    expect(await refused()).toEqual({ UpdateItem: 1 });
    router.clock.time = NOON;
  });

  test('calls DynamoDB once for a token without the scope: to read it', async () => {
    const deployment = await unread({ authMethod: 'oauth' });
    const token = await anAccessToken(router, deployment, { scopes: ['mcp.tools.read'] });
    await call(deployment, token);
    router.store.aws.calls.reset();
    await call(deployment, token);

    expect(asked()).toEqual({ GetItem: 1 });
  });
});

describe('a router instance that has not read a deployment', () => {
  test('reads deployment, token, its holder and tools once each', async () => {
    const deployment = await unread({ authMethod: 'oauth' });
    const userId = randomUUID();
    const token = await anAccessToken(router, deployment, { userId });
    await router.ports.usage.take(usageOf(userId), 'pro', 1, NOON);
    router.store.aws.calls.reset();

    expect((await call(deployment, token)).statusCode).toBe(200);
    expect(asked()).toEqual({ GetItem: 4, UpdateItem: 1 });
  });

  test('reads no token for public documents and malformed tokens', async () => {
    const { slug } = await unread({ authMethod: 'oauth' });
    router.store.aws.calls.reset();
    const headers = bearer(`mcp_access_${randomUUID()}`);
    await router.send(get(at(slug, '/health'), headers));
    expect(asked()).toEqual({ GetItem: 1 });

    const other = await unread({ authMethod: 'oauth' });
    router.store.aws.calls.reset();
    await call(other, 'mcp_refresh_a');
    expect(asked()).toEqual({ GetItem: 1, UpdateItem: 1 });
  });

  test('reads nothing for a malformed slug', async () => {
    router.store.aws.calls.reset();
    const headers = bearer(`mcp_access_${randomUUID()}`);
    await router.send(post(at('No_Slug', '/messages'), rpc('ping'), headers));

    expect(asked()).toEqual({});
  });

  test('reads the token and the deployment in parallel', async () => {
    const deployment = await unread({ authMethod: 'oauth' });
    const token = await anAccessToken(router, deployment);
    const { send } = inStep(['accessTokens', 'find'], ['deployments', 'find']);

    const event = post(at(deployment.slug, '/messages'), rpc('ping'), bearer(token));
    expect((await send(event)).statusCode).toBe(200);
  });

  test.each([
    ['the deployment', ['deployments', 'find']],
    ['the token', ['accessTokens', 'find']],
  ] as const)('reads what operators have ended in parallel with %s', async (_, other) => {
    const deployment = await unread({ authMethod: 'oauth' });
    const token = await anAccessToken(router, deployment);
    const { send } = inStep(['notBefore', 'find'], other);

    const event = post(at(deployment.slug, '/messages'), rpc('ping'), bearer(token));
    expect((await send(event)).statusCode).toBe(200);
  });

  test('reads the tools while it counts the request', async () => {
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
