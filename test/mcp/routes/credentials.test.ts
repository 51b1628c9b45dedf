import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { type TableName, tables } from '../../../lambdas/storage-manifest.ts';
import type { Credential } from '../../../layers/target/rules/credential.ts';
import {
  removeCredential,
  setCredential,
} from '../../../layers/servers/steps/credential/credential.ts';
import { NOON } from '../../support/aws/dynamodb-fixtures.ts';
import { startRouter } from '../../support/mcp/router.ts';
import { anAddress, at, post, rpc } from '../../support/mcp/router-events.ts';

const MINUTE = 60;

const router = await startRouter();
afterAll(() => router.stop());
afterEach(() => {
  router.store.aws.faults.clear();
  router.store.aws.calls.reset();
});

let deployments = 0;

/** A deployment of its own, with a credential. */
const aProtectedApi = async (credential: Credential) => {
  deployments += 1;
  const slug = `api-${deployments}`;
  const address = anAddress();
  const { ownerId } = await router.publish(slug);
  const owned = { ownerId, slug };
  const set = (next: Credential) => setCredential(router.owner, { ...owned, credential: next });
  await set(credential);
  const send = (sent: unknown, end = '/messages') =>
    router.send(post(at(slug, end), sent, { 'user-agent': 'agent/1' }, address));
  return {
    slug,
    set,
    send,
    remove: () => removeCredential(router.owner, owned),
    /** @returns the error, or the text of the result */
    call: async (name = 'getPet', args: object = { id: 7 }) => {
      const reply = await send(rpc('tools/call', { name, arguments: args }));
      const { error, result } = JSON.parse(reply.body);
      return error ?? result.content[0].text;
    },
  };
};

const bearer = (token: string): Credential => ({ type: 'bearer', token });
const invocations = () => router.store.aws.calls.count({ service: 'lambda' });
const UNAVAILABLE = { code: -32000, data: { reason: 'credential_unavailable' } };
const time = (seconds: number) => {
  router.clock.time = seconds;
};

/** What the target saw of a credential; the target echoes it, and it is masked on its way back. */
describe('the credential in a tool call', () => {
  test.each<[string, Credential, object]>([
    ['a token', bearer('secret-token'), { authorization: 'Bearer [masked]' }],
    [
      'HTTP Basic credentials',
      { type: 'basic', username: 'anna', password: 'secret-password' },
      { authorization: 'Basic [masked]' },
    ],
    [
      'a key in a header',
      { type: 'api_key', name: 'X-Api-Key', in: 'header', value: 'secret-key' },
      { 'x-api-key': '[masked]' },
    ],
    [
      'a key in a cookie',
      { type: 'api_key', name: 'session', in: 'cookie', value: 'secret-key' },
      { cookie: 'session=[masked]' },
    ],
  ])('is sent as %s', async (_, credential, headers) => {
    const { call } = await aProtectedApi(credential);

    expect(JSON.parse(await call())).toMatchObject({ headers });
  });

  test('is sent as a key in the query', async () => {
    const value = 'secret&key';
    const { call } = await aProtectedApi({ type: 'api_key', name: 'key', in: 'query', value });

    expect(JSON.parse(await call())).toMatchObject({ path: '/echo/pets/7?key=[masked]' });
    expect(router.target.seen).toContain('GET /echo/pets/7?key=secret%26key');
  });

  test('is also sent on the legacy endpoint', async () => {
    const { send } = await aProtectedApi(bearer('secret-token'));
    const { body } = await send({ name: 'getPet', arguments: { id: 7 } }, '/tool');

    expect(JSON.parse(JSON.parse(body).content[0].text)).toMatchObject({
      headers: { authorization: 'Bearer [masked]' },
    });
  });

  test('replaces any Authorization header of the client', async () => {
    const { slug } = await aProtectedApi(bearer('secret-token'));
    const headers = { authorization: 'Bearer of-the-client' };
    const { body } = await router.send(
      post(at(slug), rpc('tools/call', { name: 'getPet', arguments: { id: 7 } }), headers),
    );

    expect(body).not.toContain('of-the-client');
  });
});

describe('a warm router instance with a credential', () => {
  test('does not fetch the credential again', async () => {
    const { call } = await aProtectedApi(bearer('secret-token'));
    await call();
    router.store.aws.calls.reset();
    for (let time = 0; time < 3; time += 1) await call();

    expect(router.store.aws.calls.list()).toMatchObject([
      { service: 'dynamodb', operation: 'UpdateItem', times: 3 },
    ]);
  });

  test('fetches the credential once for a batch and once for concurrent requests', async () => {
    const { send, call } = await aProtectedApi(bearer('secret-token'));
    await send([1, 2, 3].map((id) => rpc('tools/call', { name: 'nothing' }, id)));
    expect(invocations()).toBe(1);

    const other = await aProtectedApi(bearer('secret-token'));
    router.store.aws.calls.reset();
    await Promise.all(Array.from({ length: 20 }, () => other.call()));
    expect(invocations()).toBe(1);
    await call();
    expect(invocations()).toBe(1);
  });

  test('fetches a credential only for tool calls and only where one is set', async () => {
    await router.publish('open-api');
    await router.send(post(at('open-api'), rpc('tools/call', { name: 'nothing' })));
    const { send } = await aProtectedApi(bearer('secret-token'));
    await send(rpc('tools/list'));
    await send(rpc('initialize', { protocolVersion: '2025-03-26' }));

    expect(invocations()).toBe(0);
  });

  test('sends the credential broker the user, the address and the request', async () => {
    const { call, slug } = await aProtectedApi(bearer('secret-token'));
    await call();

    expect(router.lines.filter(({ type }) => type === 'credential_access').at(-1)).toMatchObject({
      deployment_id: `dep-${slug}`,
      user: expect.stringMatching(/^198\.51\./),
      ip: expect.stringMatching(/^198\.51\./),
      user_agent: 'agent/1',
      request_id: 'request-1',
      instance: 'router-1',
      outcome: 'ok',
    });
  });
});

describe('a changed credential of a deployment', () => {
  afterEach(() => time(NOON));

  test('is used from 15 seconds after it was replaced', async () => {
    const { call, set } = await aProtectedApi(bearer('first-token'));
    await call();
    await set({ type: 'api_key', name: 'X-Second', in: 'header', value: 'second-key' });
    time(NOON + 14);
    expect(await call()).toContain('Bearer [masked]');
    time(NOON + 15);

    expect(await call()).toContain('x-second');
  });

  test('is no longer sent from 15 seconds after it was removed', async () => {
    const { call, remove } = await aProtectedApi(bearer('first-token'));
    await call();
    await remove();
    time(NOON + 15);

    expect(JSON.parse(await call())).not.toHaveProperty('headers.authorization');
  });

  test('is not silently left out of a call while its removal is not known yet', async () => {
    const { call, remove } = await aProtectedApi(bearer('first-token'));
    await router.ports.deployments.find(`api-${deployments}`);
    await remove();
    const sent = router.target.seen.length;

    const data = { reason: 'credential_missing' };
    expect(await call()).toMatchObject({ ...UNAVAILABLE, data });
    expect(router.target.seen).toHaveLength(sent);
  });
});

describe('a tool call whose credential is unavailable', () => {
  afterEach(() => time(NOON));

  test.each(['throttle', 'fail', 'deny'] as const)(
    'is not sent where Secrets Manager answers with %s',
    async (kind) => {
      const { call } = await aProtectedApi(bearer('secret-token'));
      router.store.aws.faults.inject({ kind, on: { operation: 'GetSecretValue' } });
      const sent = router.target.seen.length;

      expect(await call()).toMatchObject(UNAVAILABLE);
      expect(router.target.seen).toHaveLength(sent);
      expect(router.lines.at(-1)).toMatchObject({
        message: 'request',
        rpc: [{ tool: 'getPet', outcome: 'server_error', why: expect.any(String) }],
      });

      router.store.aws.faults.clear();
      expect(await call()).toContain('Bearer [masked]');
    },
  );

  test('still reports invalid arguments first', async () => {
    const { call } = await aProtectedApi(bearer('secret-token'));
    router.store.aws.faults.inject({ kind: 'fail', on: { service: 'lambda' } });

    expect(await call('getPet', {})).toMatchObject({ code: -32602 });
    expect(await call('unknown')).toMatchObject({ code: -32602 });
  });

  test('uses a cached credential for fifteen more minutes while the store is down', async () => {
    const { call } = await aProtectedApi(bearer('secret-token'));
    await call();
    router.store.aws.faults.inject({ kind: 'fail', on: { operation: 'GetSecretValue' } });
    time(NOON + 20 * MINUTE - 1);
    expect(await call()).toContain('Bearer [masked]');
    time(NOON + 20 * MINUTE);
    expect(await call()).toMatchObject(UNAVAILABLE);
  });

  test('does not use a cached credential once access is denied', async () => {
    const { call } = await aProtectedApi(bearer('secret-token'));
    await call();
    router.store.aws.faults.inject({ kind: 'deny', on: { operation: 'GetSecretValue' } });
    time(NOON + 5 * MINUTE);

    expect(await call()).toMatchObject(UNAVAILABLE);
  });
});

describe('a secret planted as credential', () => {
  const SECRET = 'CANARY/0123"4567 89+é';
  const IN_A_HEADER = 'CANARY/0123"4567 89+';
  const forms = [SECRET, IN_A_HEADER].flatMap((secret) => [
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    ...(['base64', 'base64url', 'hex'] as const).map((form) => Buffer.from(secret).toString(form)),
    'CANARY',
  ]);
  const credentials: readonly Credential[] = [
    { type: 'basic', username: 'anna', password: SECRET },
    { type: 'api_key', name: 'X-Key', in: 'header', value: IN_A_HEADER },
    { type: 'api_key', name: 'key', in: 'query', value: SECRET },
    { type: 'api_key', name: 'key', in: 'cookie', value: SECRET },
  ];

  test.each(credentials)(
    'appears in no answer, log line, event, error or item: %j',
    async (credential) => {
      const { send, set, remove } = await aProtectedApi(credential);
      const answers: string[] = [];
      const callEach = async () => {
        for (const [name, args] of [
          ['getPet', { id: 7 }],
          ['addPet', { name: 'Rex' }],
          ['fail', { status: 500 }],
          ['image', {}],
          ['nothing', {}],
          ['hangUp', {}],
          ['private', {}],
          ['closed', {}],
          ['getPet', {}],
        ] as const) {
          const { headers, body } = await send(rpc('tools/call', { name, arguments: args }));
          answers.push(JSON.stringify(headers), body);
        }
      };
      await callEach();
      await set(credential);
      for (const fault of [
        { kind: 'fail', on: { operation: 'GetSecretValue' } },
        { kind: 'deny', on: { operation: 'GetSecretValue' } },
        { kind: 'drop', on: { service: 'lambda' } },
      ] as const) {
        const end = router.store.aws.faults.inject(fault);
        time(router.clock.time + 15);
        await callEach();
        end();
      }
      await remove();
      time(NOON);

      const items = await Promise.all(
        (Object.keys(tables) as TableName[]).map((name) =>
          router.store
            .instance()
            .send(new ScanCommand({ TableName: router.store.tableName(name) })),
        ),
      );
      expect(answers.length).toBeGreaterThan(50);
      expect(router.target.seen.length).toBeGreaterThan(0);
      const everything = [
        ...answers,
        JSON.stringify(router.lines),
        JSON.stringify(items.flatMap(({ Items }) => Items)),
      ].join('\n');
      expect(forms.filter((form) => everything.includes(form))).toEqual([]);
    },
  );
});
