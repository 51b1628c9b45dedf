import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { server } from '../../layers/connections/routes/server.ts';
import { roleKeys } from '../../layers/connections/store/role-keys.ts';
import { networkApi } from '../../layers/target/client/network-api.ts';
import { invocationTime, systemClock } from '../../layers/platform/system/clock.ts';
import { ACCOUNT_ID } from '../../local/aws/account.ts';
import type { FaultKind } from '../../local/aws/faults.ts';
import { roleArn } from '../../local/aws/iam/evaluate.ts';
import { startStore } from '../support/aws/dynamodb-fixtures.ts';
import { aConnection, anOAuthClient } from '../support/oauth/connections.ts';
import { anHttpServer, aRawServer, type TargetServer } from '../support/target/target-server.ts';

const store = await startStore();
const closing: TargetServer[] = [];
afterAll(async () => {
  for (const one of closing) await one[Symbol.asyncDispose]();
  await store.stop();
});
afterEach(() => store.aws.faults.clear());

const http = (status: number, body: string, length = Buffer.byteLength(body)): string =>
  `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`;
const tokenOf = (number: number): string =>
  JSON.stringify({ access_token: `token-${number}`, token_type: 'Bearer', expires_in: 600 });

type Talk = (socket: Socket, asked: number) => unknown;
/** Once the whole request is there. */
const afterRequest =
  (talk: Talk): Talk =>
  (socket, asked) => {
    socket.once('data', () => talk(socket, asked));
  };

/** A token endpoint whose first connection breaks in one way, and that is well afterwards. */
const breaking = async (first: Talk) => {
  let asked = 0;
  const server = await aRawServer((socket) => {
    socket.on('error', () => undefined);
    asked += 1;
    const well = afterRequest((one) => one.end(http(200, tokenOf(asked))));
    (asked === 1 ? first : well)(socket, asked);
  });
  closing.push(server);
  return { url: `${server.url}/token`, asked: () => asked };
};

const BREAKS: readonly [string, Talk][] = [
  ['is reset before the request', (socket) => void socket.resetAndDestroy()],
  ['is reset after the request', afterRequest((socket) => void socket.resetAndDestroy())],
  ['ends without an answer', afterRequest((socket) => void socket.end())],
  [
    'ends in the middle of a body',
    afterRequest((socket) => void socket.end(http(200, tokenOf(1).slice(0, 20), 200))),
  ],
  ['answers 500', afterRequest((socket) => void socket.end(http(500, '{}')))],
  ['answers 503 with a page', afterRequest((socket) => void socket.end(http(503, '<html>')))],
  [
    'answers with garbage',
    afterRequest((socket) => void socket.end('\u0000\u0001 garbage\r\n\r\n')),
  ],
  ['answers no token', afterRequest((socket) => void socket.end(http(200, '{"ok":true}')))],
  ['answers no JSON', afterRequest((socket) => void socket.end(http(200, 'token=1')))],
];

describe('a token endpoint whose connection', () => {
  test.each(BREAKS)(
    '%s gives no token, is left alone for ten seconds and gives one then',
    async (_, first) => {
      const endpoint = await breaking(first);
      const connection = aConnection(store);
      const request = await connection.set(anOAuthClient(endpoint.url));

      const failed = { ok: false, reason: 'token_endpoint_failed' };
      expect(await connection.answer(request)).toMatchObject(failed);
      expect(await connection.answer(request)).toMatchObject(failed);
      expect(endpoint.asked()).toBe(1);
      connection.clock.time += 10;
      // Whatever the first answer was: what is given is of the one that arrived whole.
      expect(await connection.answer(request)).toMatchObject({
        ok: true,
        credential: { type: 'bearer', token: 'token-2' },
      });
      expect(await connection.answer(request)).toMatchObject({ credential: { token: 'token-2' } });
      expect(endpoint.asked()).toBe(2);
    },
  );

  test('is slow gives its token to all who wait, and is asked once', async () => {
    // Its answer comes sign by sign, and ends once both of the others wait: no machine is too busy for it.
    const bothWait = Promise.withResolvers<void>();
    const endpoint = await breaking(
      afterRequest(async (socket) => {
        const text = http(200, tokenOf(1));
        for (const sign of text.slice(0, -1)) await new Promise((sent) => socket.write(sign, sent));
        await bothWait.promise;
        socket.end(text.slice(-1));
      }),
    );
    const connection = aConnection(store);
    const request = await connection.set(anOAuthClient(endpoint.url));
    let waiting = 0;
    const pause = async () => {
      waiting += 1;
      if (waiting === 2) bothWait.resolve();
      await bothWait.promise;
      await setImmediate();
    };
    const answer = server({ ...connection.ports, pause });

    const given = await Promise.all([1, 2, 3].map(() => answer(request)));
    expect(new Set(given.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(given[0]).toMatchObject({ ok: true, credential: { token: 'token-1' } });
    expect(endpoint.asked()).toBe(1);
  });

  test.each(['fail', 'lose', 'drop'] as const)(
    'is well gives a token that the table begins to %s: the next one is asked for, and none is mixed up',
    async (kind) => {
      const endpoint = await breaking(afterRequest((one) => one.end(http(200, tokenOf(1)))));
      const connection = aConnection(store);
      const request = await connection.set(anOAuthClient(endpoint.url));
      store.aws.faults.inject({
        kind,
        on: ({ caller }) => caller === 'connections' && endpoint.asked() > 0,
      });

      await connection.answer(request);
      store.aws.faults.clear();
      connection.clock.time += 11;
      const again = await connection.answer(request);
      expect(again).toMatchObject({ ok: true });
      expect(await connection.answer(request)).toEqual(again);
    },
  );
});

const ROLE = `arn:aws:iam::${ACCOUNT_ID}:role/assumable/faults`;
const { endpoint, region, credentials } = (() => {
  const environment = store.aws.environment('connections');
  return {
    endpoint: environment['AWS_ENDPOINT_URL_STS'] ?? '',
    region: store.aws.region,
    credentials: {
      accessKeyId: environment['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
  };
})();
store.aws.addRole({
  arn: ROLE,
  maxSessionSeconds: 3600,
  trust: [
    {
      Effect: 'Allow',
      Principal: { AWS: roleArn('connections') },
      Action: 'sts:AssumeRole',
    },
  ],
});
const assume = (at = endpoint) =>
  roleKeys({ access: { endpoint: at, region, credentials }, roles: [ROLE] }).ask(
    { type: 'aws', roleArn: ROLE, region, service: 'execute-api', origins: [] },
    { user: 'ann', ip: '192.0.2.1', requestId: 'r' },
    { deploymentId: 'dep-1', name: 'main', from: 'connections' },
    {},
  );

describe('STS that', () => {
  test('gives keys of the role gives them', async () => {
    expect((await assume()).sent).toMatchObject({ type: 'aws_keys' });
  });

  test.each<[string, FaultKind]>([
    ['throttles', { kind: 'throttle' }],
    ['fails', { kind: 'fail' }],
    ['closes connections', { kind: 'drop' }],
    ['says nothing of the keys that it has given', { kind: 'lose' }],
  ])(
    '%s for good is told as a giver that gives nothing, not as one that refuses',
    async (_, fault) => {
      store.aws.faults.inject({ ...fault, on: { service: 'sts' } });
      await expect(assume()).rejects.toMatchObject({ reason: 'token_endpoint_failed' });
    },
  );

  test.each([
    ['half a body', '<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIA'],
    ['no keys', '<AssumeRoleResponse><AssumeRoleResult></AssumeRoleResult></AssumeRoleResponse>'],
    ['garbage', '\u0000\u0001'],
  ])('answers %s has given nothing', async (_, body) => {
    const sts = await anHttpServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/xml' }).end(body),
    );
    closing.push(sts);
    await expect(assume(sts.url)).rejects.toMatchObject({ reason: 'token_endpoint_failed' });
  });
});

const lambdaAccess = () => {
  const environment = store.aws.environment('router');
  return {
    region: store.aws.region,
    credentials: {
      accessKeyId: environment['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
    endpoint: environment['AWS_ENDPOINT_URL_LAMBDA'] ?? '',
  };
};
const network = networkApi({
  clock: systemClock(),
  // The policies of the account know one that is there.
  functions: { orders: 'credentials:live' },
  access: lambdaAccess(),
  timeLeft: invocationTime(),
  timeoutSeconds: 5,
  maxBytes: 1000,
});
const call = (method: 'GET' | 'POST') =>
  network.send('dep-1', { method, url: 'https://api.internal/', headers: {}, network: 'orders' });

describe('the function of a private network that', () => {
  /** Runs it, and counts. */
  const running = (payload: string, functionError?: string) => {
    let runs = 0;
    store.aws.onInvoke(async () => {
      runs += 1;
      return { payload, ...(functionError !== undefined && { functionError }) };
    });
    return () => runs;
  };

  test.each([
    ['is throttled', { kind: 'throttle' }, 'network_busy', 0],
    ['cannot be had', { kind: 'fail' }, 'network_unavailable', 0],
    // Nobody can tell these two apart: the caller is told that it may have been done.
    ['is cut off before it runs', { kind: 'drop' }, 'timeout', 0],
    ['runs, and nothing is heard of it', { kind: 'lose' }, 'timeout', 1],
  ] as const)('%s has a POST done no more than once', async (_, fault, reason, done) => {
    const runs = running('{}');
    store.aws.faults.inject({ ...fault, on: { operation: 'Invoke' } });
    await expect(call('POST')).rejects.toMatchObject({ name: 'NoAnswer', reason });
    expect(runs()).toBe(done);
  });

  test.each([
    ['dies', '{"errorMessage":"Runtime exited"}', 'Unhandled'],
    ['is late', '{"errorMessage":"Task timed out after 29.00 seconds"}', 'Unhandled'],
    ['answers half', '{"status":200,"headers":[', undefined],
    ['answers something else', '{"hello":"world"}', undefined],
    ['answers nothing', 'null', undefined],
  ])('%s leaves the call without an answer, and a POST done once', async (_, payload, error) => {
    const runs = running(payload, error);
    await expect(call('POST')).rejects.toMatchObject({ reason: 'network_unavailable' });
    expect(runs()).toBe(1);
  });

  test('fails once is asked again for what may be repeated', async () => {
    const runs = running('null');
    store.aws.faults.inject({ kind: 'fail', on: { operation: 'Invoke' }, times: 1 });
    await expect(call('GET')).rejects.toMatchObject({ reason: 'network_unavailable' });
    expect(runs()).toBe(1);
  });
});
