import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { tables, type TableName } from '../../../lambdas/storage-manifest.ts';
import { setCredential } from '../../../layers/servers/steps/credential/credential.ts';
import { anOAuthClient, aTokenEndpoint } from '../../support/oauth/connections.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { startRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';
import { aTool } from '../../support/mcp/router-tools.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

const router = await startRouter();
const closing: AsyncDisposable[] = [];
afterAll(async () => {
  for (const one of closing) await one[Symbol.asyncDispose]();
  await router.stop();
});
afterEach(() => {
  router.store.aws.faults.clear();
  router.clock.time = NOON;
});

const TOKEN = 'CANARY-token-0123456789-';
let deployments = 0;

interface Api {
  /** The newest token that it takes; undefined: all. */
  takes: number | undefined;
}

/** A deployment with an OAuth client, an authorization server that numbers its tokens, and an API that holds them. */
const aConnectedApi = async (
  answer: Parameters<typeof aTokenEndpoint>[0] = (asked) => ({
    body: { access_token: `${TOKEN}${asked}`, token_type: 'Bearer', expires_in: 3600 },
  }),
) => {
  const api: Api = { takes: undefined };
  const target = await anHttpServer(({ headers, method, body }, response) => {
    const number = Number(/(\d+)$/.exec(headers.authorization ?? '')?.[1]);
    const isTaken = api.takes === undefined || number === api.takes;
    response
      .writeHead(isTaken ? 200 : 401, { 'content-type': 'application/json' })
      .end(JSON.stringify({ method, body, seen: headers.authorization, old: `${TOKEN}1` }));
  });
  const endpoint = await aTokenEndpoint(answer);
  closing.push(target, endpoint);
  deployments += 1;
  const slug = `connected-${deployments}`;
  const { ownerId } = await router.publish(
    slug,
    { apiBaseUrl: target.url },
    {
      tools: [
        aTool('read', target.url),
        aTool('remove', target.url, { operation: { method: 'DELETE' } }),
        aTool('create', target.url, {
          schema: { properties: { name: { type: 'string' } } },
          operation: {
            method: 'POST',
            body: {
              mediaType: 'application/json',
              form: 'json',
              required: true,
              source: { kind: 'whole', argument: 'name' },
            } as never,
          },
        }),
      ],
    },
  );
  const { tokenOrigin: _, ...credential } = anOAuthClient(endpoint.url);
  const set = await setCredential(router.owner, {
    ownerId,
    slug,
    credential,
  });
  const address = anAddress();
  return {
    api,
    endpoint,
    target,
    set,
    call: async (name = 'read', args: object = {}) => {
      const event = post(
        at(slug, '/messages'),
        rpc('tools/call', { name, arguments: args }),
        {},
        address,
      );
      const { error, result } = JSON.parse((await router.send(event)).body);
      return error ?? result;
    },
  };
};

const textsOf = (result: { readonly content: readonly { readonly text: string }[] }) =>
  result.content.map(({ text }) => text).join('\n');

describe('a call with a credential that others give tokens for', () => {
  test('carries the token, which its answer does not show, and asks for one once', async () => {
    const { call, endpoint, target, set } = await aConnectedApi();
    expect(set.credential).toMatchObject({ type: 'oauth_client', clientId: 'service' });
    expect(JSON.stringify(set)).not.toContain('CANARY');

    expect(JSON.parse(textsOf(await call()))).toMatchObject({ seen: 'Bearer [masked]' });
    router.store.aws.calls.reset();
    for (let time = 0; time < 2; time += 1) {
      expect(JSON.parse(textsOf(await call()))).toMatchObject({ seen: 'Bearer [masked]' });
    }
    // As with a credential that is stored: a warm call asks for none.
    expect(router.store.aws.calls.count({ service: 'lambda' })).toBe(0);
    expect(target.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 3 }, () => `Bearer ${TOKEN}1`),
    );
    expect(endpoint.asked()).toBe(1);
  });

  test('is repeated once with another token where the API refuses the one it has', async () => {
    const { api, call, endpoint, target } = await aConnectedApi();
    await call();
    api.takes = 2;
    router.clock.time += 60;
    const answer = textsOf(await call('remove'));
    // The token before is masked too, and both calls were made.
    expect(JSON.parse(answer)).toMatchObject({ seen: 'Bearer [masked]', old: '[masked]' });
    expect(target.requests.map(({ method }) => method)).toEqual(['GET', 'DELETE', 'DELETE']);
    expect(textsOf(await call())).not.toContain('CANARY');
    expect(endpoint.asked()).toBe(2);
  });

  test('is repeated no more than once, and nobody is asked with each call of an API that refuses everything', async () => {
    const { api, call, endpoint, target } = await aConnectedApi();
    api.takes = 0;
    const answer = await call();
    expect(answer.isError).toBe(true);
    expect(textsOf(answer)).toContain('The target API refused the credential');
    expect(target.requests).toHaveLength(1);
    router.clock.time += 10;
    await call();
    await call();
    expect(target.requests).toHaveLength(4);
    expect(endpoint.asked()).toBe(2);
  });

  test('is not repeated where it may have been carried out, and the next one has the new token', async () => {
    const { api, call, target } = await aConnectedApi();
    await call();
    api.takes = 2;
    router.clock.time += 60;
    const refused = await call('create', { name: 'Rex' });
    expect(textsOf(refused)).toContain('The call was not repeated');
    expect(target.requests).toHaveLength(2);
    expect(JSON.parse(textsOf(await call('create', { name: 'Rex' })))).toMatchObject({
      method: 'POST',
      body: '"Rex"',
    });
    expect(target.requests).toHaveLength(3);
  });

  test('goes on with the token that is held while nobody can be asked', async () => {
    const { call, endpoint } = await aConnectedApi();
    await call();
    router.store.aws.faults.inject({ kind: 'fail', on: { service: 'lambda' } });
    router.clock.time += 600;
    expect(JSON.parse(textsOf(await call()))).toMatchObject({ seen: 'Bearer [masked]' });
    router.clock.time = NOON + 3600;
    expect(await call()).toMatchObject({ data: { reason: 'credential_unavailable' } });
    expect(endpoint.asked()).toBe(1);
  });

  test.each([
    [
      'token_refused',
      { status: 401, body: { error: 'invalid_client', error_description: 'CANARY' } },
      { error: 'invalid_client' },
    ],
    ['token_endpoint_failed', { status: 503, body: '<h1>CANARY</h1>', type: 'text/html' }, {}],
  ])('says who is to mend it where there is none: %s', async (reason, answered, more) => {
    const { call, target } = await aConnectedApi(() => answered);
    const error = await call();
    expect(error).toEqual({
      code: -32000,
      message: expect.stringContaining('The server that gives tokens for this API'),
      data: { reason, ...more },
    });
    expect(target.requests).toEqual([]);
  });

  test('leaves its token in no table, no event and no line', async () => {
    const { call } = await aConnectedApi();
    await call();
    const stored = await Promise.all(
      (Object.keys(tables) as TableName[]).map(async (name) => {
        const TableName = router.store.tableName(name);
        const { Items } = await router.store.instance().send(new ScanCommand({ TableName }));
        return JSON.stringify(Items, (_, value) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        );
      }),
    );
    expect(stored.join('\n')).not.toContain('CANARY');
    expect(JSON.stringify(router.lines)).not.toContain('CANARY');
  });
});
