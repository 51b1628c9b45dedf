import { GetCommand } from '@aws-sdk/lib-dynamodb';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  jest,
  test,
} from '@jest/globals';
import { start as startManagement } from '../../../lambdas/management/index.ts';
import type { FunctionName } from '../../../lambdas/manifest.ts';
import { start as startOAuth } from '../../../lambdas/oauth/index.ts';
import { server } from '../../../layers/mcp/routes/server.ts';
import { start as startRouterFunction } from '../../../lambdas/router/index.ts';
import { type InvocationContext, systemClock } from '../../../layers/platform/system/clock.ts';
import type { HttpEvent } from '../../../layers/platform/http/event.ts';
import type { HttpReply } from '../../../layers/platform/http/reply.ts';
import { setCredential } from '../../../layers/servers/steps/credential/credential.ts';
import { wireRouter } from '../../../lambdas/router/wiring.ts';
import { requestOf, sessionToken } from '../../support/service/management.ts';
import { aUser, REDIRECT_URI } from '../../support/oauth/oauth.ts';
import { BASE_URL, startRouter, type TestRouter } from '../../support/mcp/router.ts';
import { anAddress, anEvent, at, get, post, rpc } from '../../support/mcp/router-events.ts';
import { aTool } from '../../support/mcp/router-tools.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';
import { environmentOf } from '../../lambdas/wiring/environments.ts';

let router: TestRouter;
/** Takes requests and never answers. */
let silent: TargetServer;
beforeAll(async () => {
  router = await startRouter();
  silent = await anHttpServer(() => undefined);
});
afterAll(async () => {
  await silent[Symbol.asyncDispose]();
  await router.stop();
});
beforeEach(() => {
  // The functions are as they are deployed, and log there.
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
  router.store.aws.faults.clear();
  router.store.aws.calls.reset();
});

const LEFT_MS = 29_000;
const systemTimeout = setTimeout;
/** A new instance of a function as it is deployed. */
const anInstance = (name: FunctionName) => {
  const environment = { ...environmentOf(router.store, name), BASE_URL };
  const options = { targets: { loopback: { exceptPorts: router.store.aws.ports } } };
  const start = { router: startRouterFunction, oauth: startOAuth, management: startManagement }[
    name as 'router'
  ];
  return start(environment, options) as (
    event: HttpEvent,
    context?: InvocationContext,
  ) => Promise<HttpReply>;
};

/**
 * Sends an event, and lets the time for waits be over as soon as the function waits. The time for the
 * answer itself is over where `isLast` says so.
 */
const runningOut = async (
  send: (context: InvocationContext) => Promise<HttpReply>,
  isWaiting: () => boolean | Promise<boolean>,
  isLast = false,
): Promise<HttpReply> => {
  const waits: (() => void)[] = [];
  const answers: (() => void)[] = [];
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms: number) => {
    if (ms < LEFT_MS - 1000) return systemTimeout(run, ms);
    (ms > LEFT_MS - 1000 ? answers : waits).push(run);
    return systemTimeout(() => undefined);
  }) as typeof setTimeout);
  const reply = send({ getRemainingTimeInMillis: () => LEFT_MS });
  while (!(await isWaiting())) await new Promise(setImmediate);
  for (const over of isLast ? answers : waits) over();
  return reply;
};

const delayed = (operation: string) => {
  router.store.aws.calls.reset();
  router.store.aws.faults.inject({ kind: 'delay', ms: 3_600_000, on: { operation } });
  return () => router.store.aws.calls.count({ operation }) > 0;
};
/** Whether the silent server has been asked once more. */
const asked = () => {
  const before = silent.requests.length;
  return () => silent.requests.length > before;
};

const UNAVAILABLE = {
  statusCode: 503,
  headers: { 'retry-after': '5' },
  body: expect.stringContaining('This took the service too long and was given up.'),
};
const call = (slug: string, name: string) =>
  post(at(slug, '/messages'), rpc('tools/call', { name, arguments: {} }));
const errorIn = ({ statusCode, body }: HttpReply) => {
  expect(statusCode).toBe(200);
  return JSON.parse(body).error;
};

describe('a function whose time is over still answers', () => {
  test('where a store does not: 503, and when to come again', async () => {
    await router.publish('slow-store');
    const instance = anInstance('router');

    const reply = await runningOut(
      (context) => instance(get(at('slow-store', '/docs')), context),
      delayed('GetItem'),
    );

    expect(reply).toMatchObject(UNAVAILABLE);
  });

  test('where a store keeps one message of several: an error for that one', async () => {
    await router.publish('slow-message');
    const instance = anInstance('router');
    const batch = [rpc('ping', undefined, 1), rpc('resources/list', undefined, 2)];

    const reply = await runningOut(
      (context) => instance(post(at('slow-message', '/messages'), batch), context),
      delayed('Query'),
    );

    expect(JSON.parse(reply.body)).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      {
        jsonrpc: '2.0',
        id: 2,
        error: {
          code: -32000,
          message: 'This took too long and was given up. Send it again.',
          data: { reason: 'no_time_left' },
        },
      },
    ]);
  });

  test('where the credential broker does not', async () => {
    const { ownerId } = await router.publish('slow-broker');
    const credential = { type: 'bearer', token: 'secret-token' } as const;
    await setCredential(router.owner, { ownerId, slug: 'slow-broker', credential });
    const instance = anInstance('router');

    const address = anAddress();
    const sent = rpc('tools/call', { name: 'getPet', arguments: { id: 7 } });
    const event = post(at('slow-broker', '/messages'), sent, {}, address);
    const isAsked = delayed('Invoke');
    const Key = { pk: `public_requests_per_minute_per_ip#${address}` };
    const TableName = router.store.tableName('limits');
    const dynamo = router.store.instance();
    const isCounted = async () =>
      (await dynamo.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item !==
      undefined;

    // The request is counted meanwhile; the second look comes after the function has heard of it.
    const reply = await runningOut(
      (context) => instance(event, context),
      async () => isAsked() && (await isCounted()) && isCounted(),
    );

    expect(errorIn(reply)).toMatchObject({ data: { reason: 'credential_unavailable' } });
  });

  test('where the target API does not', async () => {
    await router.publish('slow-target', {}, { tools: [aTool('wait', silent.url)] });
    const instance = anInstance('router');

    const reply = await runningOut(
      (context) => instance(call('slow-target', 'wait'), context),
      asked(),
    );

    expect(errorIn(reply)).toEqual({
      code: -32000,
      message: expect.stringMatching(/^The target API did not answer in time\./),
      data: { reason: 'timeout' },
    });
  });

  test('where the key set of an issuer does not, which is fetched again at once', async () => {
    const jwtIssuer = {
      issuer: 'https://issuer.example.com/',
      jwksUri: `${silent.url}/keys`,
      audience: 'api://slow',
      algorithms: ['RS256'] as const,
    };
    await router.publish('slow-keys', { authMethod: 'jwt', jwtIssuer });
    const instance = anInstance('router');
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const token = [
      encoded({ alg: 'RS256', kid: 'key-1' }),
      encoded({ iss: jwtIssuer.issuer, aud: jwtIssuer.audience, sub: 'ann', exp: 9_999_999_999 }),
      'c2lnbmF0dXJl',
    ].join('.');
    const send = (context: InvocationContext) =>
      instance(
        post(at('slow-keys', '/messages'), rpc('ping'), { authorization: `Bearer ${token}` }),
        context,
      );

    expect(await runningOut(send, asked())).toMatchObject(UNAVAILABLE);
    expect(await runningOut(send, asked())).toMatchObject(UNAVAILABLE);
  });

  test('where the metadata document of a client does not come', async () => {
    const instance = anInstance('oauth');
    const query = new URLSearchParams({
      client_id: `${silent.url}/client.json`,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
    });
    const event = {
      ...anEvent('GET', '/v1/mcp-oauth-server/authorize'),
      rawQueryString: query.toString(),
    };

    const reply = await runningOut((context) => instance(event, context), asked());

    expect(reply).toMatchObject({ statusCode: 503, headers: { 'retry-after': '5' } });
  });

  test('where a description does not come', async () => {
    const user = aUser({ id: 'late-owner', email: 'late@example.com' });
    await router.owner.users.create(user);
    const token = await sessionToken(
      { ...router.sessionSigner, clock: systemClock() as never },
      user,
    );
    const instance = anInstance('management');
    const body = { openapi_url: `${silent.url}/openapi.json` };
    const event = requestOf('POST', '/deployments', { as: { user, token }, body });

    const reply = await runningOut((context) => instance(event, context), asked());

    expect(reply).toMatchObject({
      ...UNAVAILABLE,
      headers: { 'retry-after': '5', 'content-type': 'application/problem+json' },
    });
  });

  test('whatever it waits for', async () => {
    await router.publish('waiting');
    const environment = { ...environmentOf(router.store, 'router'), BASE_URL };
    const ports = wireRouter(environment);
    let isWaiting = false;
    const find = () => {
      isWaiting = true;
      return new Promise<never>(() => undefined);
    };
    const deployments = { ...ports.deployments, find, knows: () => false };
    const send = server({ ...ports, deployments });

    const reply = await runningOut(
      (context) => ports.timeLeft.within(context, () => send(get(at('waiting', '/health')))),
      () => isWaiting,
      true,
    );

    expect(reply).toMatchObject(UNAVAILABLE);
  });
});

describe('a function with little time left', () => {
  const little: InvocationContext = { getRemainingTimeInMillis: () => 1500 };
  const none: InvocationContext = { getRemainingTimeInMillis: () => 400 };

  test('sends no call that nobody would hear the end of', async () => {
    await router.publish('late', {}, { tools: [aTool('wait', silent.url)] });
    const instance = anInstance('router');
    await instance(post(at('late', '/messages'), rpc('tools/list')));
    const isAsked = asked();

    expect(errorIn(await instance(call('late', 'wait'), little))).toEqual({
      code: -32000,
      message: 'Too little time was left for this call, so nothing was sent. Send it again.',
      data: { reason: 'no_time_left' },
    });
    expect(isAsked()).toBe(false);
    expect(router.store.aws.calls.count({ operation: 'UpdateItem' })).toBeGreaterThan(0);
  });

  test('asks no store where none is left', async () => {
    const instance = anInstance('router');
    router.store.aws.calls.reset();

    expect(await instance(get(at('late', '/docs')), none)).toMatchObject(UNAVAILABLE);
    expect(router.store.aws.calls.list()).toEqual([]);
  });

  test('leaves the time of others beside it alone', async () => {
    const instance = anInstance('router');
    const ping = () => post(at('late', '/messages'), rpc('ping'), {}, anAddress());
    const plenty: InvocationContext = { getRemainingTimeInMillis: () => LEFT_MS };

    const [late, early] = await Promise.all([instance(ping(), none), instance(ping(), plenty)]);

    expect(late.statusCode).toBe(503);
    expect(early.statusCode).toBe(200);
  });
});
