import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { dynamoTokens } from '../../../layers/connections/store/tokens.ts';
import { cachedTokens } from '../../../layers/connections/store/cached-tokens.ts';
import { lambdaTokenBroker } from '../../../layers/connections/store/token-broker.ts';
import { systemClock } from '../../../layers/platform/system/clock.ts';
import { connectionOf } from '../../support/aws/aws.ts';
import { tokenFingerprint } from '../../../layers/connections/rules/token-source.ts';
import { kmsDataKeys } from '../../../layers/credentials/store/data-keys.ts';
import { server } from '../../../layers/connections/routes/server.ts';
import { apart, type SentCredential } from '../../../layers/target/rules/credential.ts';
import { dyingBefore } from '../../support/aws/flaky-dynamo.ts';
import { NOON, startStore } from '../../support/aws/dynamodb-fixtures.ts';
import {
  aConnection,
  anOAuthClient,
  aStrictProvider,
  aTokenEndpoint,
  CLIENT_SECRET,
  ORIGINS,
  type TokenEndpoint,
} from '../../support/oauth/connections.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

const store = await startStore();
const provider = await aStrictProvider();
const endpoints: TokenEndpoint[] = [];
afterAll(async () => {
  for (const endpoint of endpoints) await endpoint[Symbol.asyncDispose]();
  await provider.close();
  await store.stop();
});
afterEach(() => {
  store.aws.faults.clear();
  store.aws.calls.reset();
});

const numbered = async (more: Readonly<Record<string, unknown>> = { expires_in: 600 }) => {
  const endpoint = await aTokenEndpoint((asked) => ({
    body: { access_token: `CANARY-token-${asked}`, token_type: 'Bearer', ...more },
  }));
  endpoints.push(endpoint);
  return endpoint;
};
const bearer = (number: number): SentCredential => ({
  type: 'bearer',
  token: `CANARY-token-${number}`,
  origins: ORIGINS,
});

describe('a token of an OAuth client', () => {
  test.each(['envelope', 'secrets-manager'] as const)(
    'is given by a strict server in each way that a client authenticates, with credentials in the store %s',
    async (credentialStore) => {
      const connection = aConnection(store, { credentialStore });
      const { privateJwk, tokenUrl } = provider;
      const clients = [
        anOAuthClient(tokenUrl, { clientId: 'basic' }),
        anOAuthClient(tokenUrl, { clientId: 'post', clientAuth: 'post' }),
        {
          type: 'oauth_client' as const,
          issuer: provider.issuer,
          tokenOrigin: provider.issuer,
          clientId: 'signed',
          clientAuth: 'private_key_jwt' as const,
          privateJwk,
          scopes: ['orders:read', 'orders:write'],
        },
      ];
      for (const client of clients) {
        const answer = await connection.answer(await connection.set(client));
        if (!answer.ok || answer.credential.type !== 'bearer')
          throw new Error(JSON.stringify(answer));
        const { token, origins } = answer.credential;
        expect(origins).toEqual(ORIGINS);
        expect(answer.until).toBe(NOON + 540);
        expect(await provider.introspect(token)).toMatchObject({
          active: true,
          client_id: client.clientId,
          ...(client.scopes && { scope: client.scopes.join(' ') }),
        });
      }
    },
  );

  test('is asked for by the way that worked the last time, until the client is set anew', async () => {
    const ways: string[] = [];
    const endpoint = await anHttpServer(({ headers }, response) => {
      const isBasic = headers.authorization !== undefined;
      ways.push(isBasic ? 'basic' : 'post');
      const [status, body] = isBasic
        ? [401, { error: 'invalid_client' }]
        : [200, { access_token: 'CANARY-token', token_type: 'bearer', expires_in: 600 }];
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const connection = aConnection(store);
    const event = await connection.set(anOAuthClient(endpoint.url));
    expect(await connection.answer(event)).toMatchObject({ ok: true, client_auth: 'post' });
    connection.clock.time = NOON + 560;
    expect(await connection.answer(event)).toMatchObject({ ok: true, client_auth: 'post' });
    expect(ways).toEqual(['basic', 'post', 'post']);

    const again = await connection.set(anOAuthClient(endpoint.url), {
      deploymentId: event.deployment_id,
    });
    expect(await connection.answer(again)).toMatchObject({ ok: true });
    expect(ways.slice(3)).toEqual(['basic', 'post']);
    await endpoint[Symbol.asyncDispose]();
  });

  test('is kept until a minute before its end, and asked for again then', async () => {
    const endpoint = await numbered();
    const connection = aConnection(store);
    const event = await connection.set(anOAuthClient(endpoint.url));
    for (const seconds of [0, 1, 539]) {
      connection.clock.time = NOON + seconds;
      expect(await connection.answer(event)).toEqual({
        ok: true,
        credential: bearer(1),
        until: NOON + 540,
        expires_at: NOON + 600,
        client_auth: 'basic',
      });
    }
    connection.clock.time = NOON + 540;
    expect(await connection.answer(event)).toMatchObject({ credential: bearer(2) });
    expect(endpoint.asked()).toBe(2);
  });

  test.each([
    ['nothing is said of its end', {}, 300 - 60],
    ['it lives for thirty seconds', { expires_in: 30 }, 15],
    ['it ends at once', { expires_in: 0 }, 5],
    ['its life is a text', { expires_in: '600' }, 540],
    ['it lives longer than a day', { expires_in: 1e12 }, 86_400 - 60],
  ])('is given out for a while where %s', async (_, more, seconds) => {
    const endpoint = await numbered(more);
    const connection = aConnection(store);
    const answer = await connection.answer(await connection.set(anOAuthClient(endpoint.url)));
    expect(answer).toMatchObject({ ok: true, until: NOON + seconds });
  });

  test('of a credential before is worth nothing to the one that is set anew', async () => {
    const endpoint = await numbered();
    const connection = aConnection(store);
    const before = await connection.set(anOAuthClient(endpoint.url));
    expect(await connection.answer(before)).toMatchObject({ credential: bearer(1) });
    const after = await connection.set(anOAuthClient(endpoint.url, { clientId: 'another' }), {
      deploymentId: before.deployment_id,
    });
    expect(await connection.answer(after)).toMatchObject({ credential: bearer(2) });
  });

  test('stands sealed in its table, and its secrets nowhere in logs and events', async () => {
    const endpoint = await numbered();
    const connection = aConnection(store);
    const event = await connection.set(anOAuthClient(endpoint.url));
    await connection.answer(event);
    const stored = [];
    for (const name of ['connections', 'credentials', 'security-events', 'limits'] as const) {
      const { Items = [] } = await store
        .instance()
        .send(new ScanCommand({ TableName: store.tableName(name) }));
      stored.push(...Items);
    }
    const texts = [...stored, connection.lines].map((one) =>
      JSON.stringify(one, (_, value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      ),
    );
    expect(stored.map(({ pk }) => pk)).toContain(`TOKEN#${event.deployment_id}#main`);
    expect(texts.join('\n')).not.toContain('CANARY');
    expect(connection.lines).toMatchObject([
      { type: 'credential_access', kind: 'oauth_client', outcome: 'ok', user: 'user-2' },
    ]);
  });
});

describe('the lease', () => {
  test('has five hundred first calls of twenty instances ask once', async () => {
    const endpoint = await numbered();
    const connection = aConnection(store);
    const event = await connection.set(anOAuthClient(endpoint.url));
    const ref = {
      deploymentId: event.deployment_id,
      ownerId: event.owner_id,
      sealedFor: event.owner_id,
      name: event.name,
      from: 'connections' as const,
      version: event.version,
    };
    store.aws.onInvoke(async (_, payload) => ({
      payload: JSON.stringify(await aConnection(store).inTime(JSON.parse(payload))),
    }));
    const access = connectionOf(store.aws, 'router');
    const routers = Array.from({ length: 20 }, (_, index) =>
      cachedTokens(lambdaTokenBroker(access, 'connections:live', `router-${index}`), {
        clock: systemClock(),
        log: { write: () => undefined },
      }),
    );
    const use = { user: 'user-2', ip: '192.0.2.7', requestId: 'request-1' };
    const found = await Promise.all(
      routers.flatMap((router) =>
        Array.from({ length: 25 }, () => router.find({ ref, kind: 'oauth_client', use })),
      ),
    );
    expect(found).toHaveLength(500);
    expect(found.every((credential) => isDeepStrictEqual(credential, bearer(1)))).toBe(true);
    expect(endpoint.asked()).toBe(1);
  });

  test('has a hundred refusals of a token be one renewal', async () => {
    const endpoint = await numbered();
    const connection = aConnection(store);
    const event = await connection.set(anOAuthClient(endpoint.url));
    connection.clock.time = Math.floor(Date.now() / 1000) - 10;
    await connection.answer(event);
    const refused = { ...event, not: tokenFingerprint(bearer(1)) };
    // A target that refuses what it is shown at once would have each call ask.
    expect(await connection.answer(refused)).toMatchObject({ credential: bearer(1) });
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => connection.inTime({ ...refused, instance: randomUUID() })),
    );
    expect(
      answers.every(
        (one) => one.ok && tokenFingerprint(apart(one.credential)) === tokenFingerprint(bearer(2)),
      ),
    ).toBe(true);
    expect(endpoint.asked()).toBe(2);
  });

  test('is taken over from whoever is killed, at each of its calls to the table, and nothing is lost', async () => {
    for (let nth = 1; nth <= 4; nth += 1) {
      const endpoint = await numbered();
      const connection = aConnection(store);
      const event = await connection.set(anOAuthClient(endpoint.url));
      const dynamo = dyingBefore(store.instance(), nth);
      const keys = kmsDataKeys(connection.keyService, store.credentialsKey);
      const dying = server({
        ...connection.ports,
        tokens: dynamoTokens(dynamo, store.tableName('connections'), keys, connection.ports.random),
      });
      await dying(event).catch(() => undefined);
      connection.clock.time += 9;
      const survivor = await connection.answer(event);
      expect(survivor).toMatchObject({ ok: true, credential: { type: 'bearer' } });
      expect(await connection.answer(event)).toEqual(survivor);
    }
  });

  test('leaves whoever waits for longer than nine seconds without a token', async () => {
    const endpoint = await numbered();
    const connection = aConnection(store);
    const event = await connection.set(anOAuthClient(endpoint.url));
    const place = { deploymentId: event.deployment_id, name: 'main' };
    await connection.ports.tokens.lease(place, {
      holder: 'another',
      generation: 0,
      now: NOON,
      until: NOON + 100,
    });
    expect(await connection.answer(event)).toEqual({ ok: false, reason: 'unavailable' });
    expect(connection.clock.time).toBeGreaterThanOrEqual(NOON + 9);
    expect(endpoint.asked()).toBe(0);
  });

  test('does not keep what was asked for too slowly: the token of whoever took it over is given', async () => {
    const connection = aConnection(store);
    let slow = true;
    const endpoint = await aTokenEndpoint((asked) => {
      // Meanwhile the lease runs out, and another instance asks.
      if (slow) connection.clock.time += 11;
      slow = false;
      return {
        body: { access_token: `CANARY-token-${asked}`, token_type: 'Bearer', expires_in: 600 },
      };
    });
    endpoints.push(endpoint);
    const event = await connection.set(anOAuthClient(endpoint.url));
    const place = { deploymentId: event.deployment_id, name: 'main' };
    const source = connection.ports.tokenSources.oauth_client;
    const overtaken = server({
      ...connection.ports,
      tokenSources: {
        ...connection.ports.tokenSources,
        oauth_client: {
          ask: async (...asked) => {
            const given = await source.ask(...asked);
            expect(await connection.answer({ ...event, instance: 'another' })).toMatchObject({
              credential: bearer(2),
            });
            return given;
          },
        },
      },
    });
    expect(await overtaken(event)).toMatchObject({ ok: true, credential: bearer(2) });
    expect(await connection.ports.tokens.find(place)).toMatchObject({ generation: 1 });
  });
});

describe('a giver of tokens that has given none', () => {
  test('is left alone for ten seconds by everybody, and asked again then', async () => {
    const endpoint = await aTokenEndpoint((asked) =>
      asked === 1
        ? { status: 400, body: { error: 'invalid_scope', error_description: 'CANARY words' } }
        : { body: { access_token: `CANARY-token-${asked}`, token_type: 'bearer' } },
    );
    endpoints.push(endpoint);
    const connection = aConnection(store);
    const event = await connection.set(anOAuthClient(endpoint.url));
    const refused = { ok: false, reason: 'token_refused', code: 'invalid_scope' };
    expect(await connection.answer(event)).toEqual({ ...refused, said: 'CANARY words' });
    connection.clock.time = NOON + 9;
    // What is stored is the code alone.
    expect(await aConnection(store, { clock: connection.clock }).answer(event)).toEqual(refused);
    expect(endpoint.asked()).toBe(1);
    connection.clock.time = NOON + 10;
    expect(await connection.answer(event)).toMatchObject({ ok: true });
    expect(JSON.stringify(connection.lines)).not.toContain('CANARY');
  });

  test('does not stand in the way of a credential that is set anew', async () => {
    const endpoint = await aTokenEndpoint((asked) =>
      asked === 1
        ? { status: 401, body: { error: 'invalid_client' } }
        : { body: { access_token: `CANARY-token-${asked}`, token_type: 'bearer' } },
    );
    endpoints.push(endpoint);
    const connection = aConnection(store);
    const wrong = anOAuthClient(endpoint.url, { clientSecret: 'wrong', clientAuth: 'basic' });
    const event = await connection.set(wrong);
    expect(await connection.answer(event)).toMatchObject({ reason: 'token_refused' });
    const again = await connection.set(
      anOAuthClient(endpoint.url, { clientSecret: CLIENT_SECRET }),
      { deploymentId: event.deployment_id },
    );
    expect(await connection.answer(again)).toMatchObject({ ok: true });
  });
});

describe('AWS that does not answer', () => {
  test.each(['GetItem', 'UpdateItem', 'GenerateDataKey'])(
    'to %s makes a token unavailable, and the next one is asked for as soon as it does',
    async (operation) => {
      const endpoint = await numbered();
      const connection = aConnection(store);
      const event = await connection.set(anOAuthClient(endpoint.url));
      const end = store.aws.faults.inject({ kind: 'fail', on: { operation } });
      expect(await connection.answer(event)).toEqual({ ok: false, reason: 'unavailable' });
      end();
      expect(endpoint.asked()).toBe(0);
      connection.clock.time += 10;
      expect(await connection.answer(event)).toMatchObject({ ok: true });
    },
  );
});
