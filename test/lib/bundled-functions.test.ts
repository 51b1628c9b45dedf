import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { join } from 'node:path';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { setCredential } from '../../layers/servers/steps/credential/credential.ts';
import { replyPartUri } from '../../layers/tools/answer/result-continuation.ts';
import { wireManagement } from '../../lambdas/management/wiring.ts';
import { wireRouter } from '../../lambdas/router/wiring.ts';
import { startTestAws, type TestAws } from '../support/aws/aws.ts';
import type { Bundles } from '../../lib/bundle/index.ts';
import { once } from '../../layers/platform/rules/once.ts';
import { bundlesAsDeployed } from '../support/aws/bundles.ts';
import { embeddedIn } from '../support/aws/cloudwatch.ts';
import { type RunningLambda, startLambda } from '../support/aws/lambda.ts';
import { logEventOf } from '../support/aws/log-event.ts';
import { at, get, post, rpc } from '../support/mcp/router-events.ts';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { storedCredential } from '../support/aws/stored-credential.ts';
import { environmentOf } from '../lambdas/wiring/environments.ts';

let aws: TestAws;
let bundles: Bundles;
const running: RunningLambda[] = [];

beforeAll(async () => {
  aws = await startTestAws();
  bundles = await bundlesAsDeployed();
});

afterAll(async () => {
  for (const lambda of running) lambda.close();
  await aws.stop();
});

/** The function with the environment that the stack gives it, and what Lambda adds. */
const start = async (
  name: FunctionName,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningLambda> => {
  const environment = {
    ...environmentOf(aws, name),
    BASE_URL: 'https://mcp.example.com/v1',
    ...more,
  };
  return startWith(name, environment);
};

const startWith = async (
  name: FunctionName,
  environment: Readonly<Record<string, string>>,
): Promise<RunningLambda> => {
  const lambda = await startLambda(bundles.functions[name], environment, {
    name,
    ...functions[name],
  });
  running.push(lambda);
  return lambda;
};

const description = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Seam', version: '1' },
  servers: [{ url: 'https://127.0.0.1:1' }],
  paths: { '/things': { get: { operationId: 'listThings', responses: {} } } },
});

const publication = {
  operator: 'publish',
  ownerId: 'owner-1',
  slug: 'seam',
  authMethod: 'none',
  openapi: description,
};

/** One for all tests: each start takes a second of processor time. */
const managing = once(() => start('management'));
const published = once(async () => (await managing()).invoke(publication));

describe('the bundled functions in the layout of Lambda', () => {
  test('publish a description, list its tools and serve the docs', async () => {
    expect(await published()).toMatchObject({
      ok: true,
      created: true,
      deployment: { mcpUrl: 'https://mcp.example.com/v1/mcp-router/seam/messages' },
    });

    const router = await start('router');
    expect(await router.invoke(post(at('seam', '/messages'), rpc('tools/list')))).toMatchObject({
      statusCode: 200,
      body: expect.stringContaining('"listThings"'),
    });
    expect(await router.invoke(get(at('seam', '/docs')))).toMatchObject({
      statusCode: 200,
      headers: { 'content-type': 'text/html; charset=utf-8' },
    });
    expect(await router.invoke(get(at('seam', '/nothing')))).toMatchObject({ statusCode: 404 });
  });

  test.each([
    [
      'make metrics of their lines where the stage has them',
      'HostedMcp/prod',
      ['Latency', 'Faults'],
    ],
    ['make none otherwise', undefined, []],
  ])('%s', async (_, namespace, names) => {
    const router = await start('router', namespace ? { METRICS_NAMESPACE: namespace } : {});
    await router.invoke(get(at('nowhere', '/health')));
    // The answer may be here before the line is.
    while (!router.output().endsWith('\n')) await setTimeout(5);
    const lines = router.output().trim().split('\n');

    expect(lines).toHaveLength(1);
    expect(lines.flatMap(embeddedIn)).toMatchObject(names.map((name) => ({ name, namespace })));
  });

  test('return a refusal as a value, since instanceof works across bundles', async () => {
    const management = await managing();
    expect(await management.invoke({ ...publication, openapi: '{' })).toMatchObject({
      ok: false,
      code: 'description_not_parseable',
    });
  });

  test.each([
    ['the gallery as text', 'getPictureOfTheDay'],
    ['what finds the targets of overlays', 'recursion limit reached'],
  ])('carry %s where deployments are managed, and nowhere else', (_what, sign) => {
    const carrying = Object.keys(functions).filter((name) => {
      const folder = join(bundles.layer, 'nodejs', name);
      return readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.mjs'))
        .some((file) => readFileSync(join(folder, file), 'utf8').includes(sign));
    });

    expect(carrying).toEqual(['management']);
  });

  test('do not load undici, Node’s client behind fetch, at a cold start', () => {
    const entries = Object.values(bundles.functions).map((one) => join(one, 'index.mjs'));
    const source = `
      for (const entry of ${JSON.stringify(entries)}) await import(entry);
      console.log(JSON.stringify(process.moduleLoadList));`;
    const loaded = execFileSync(process.execPath, ['--input-type=module', '--eval', source], {
      encoding: 'utf8',
      env: {},
    });

    expect(loaded).toContain('NativeModule http');
    expect(loaded).not.toContain('undici');
  });

  // The SDK then loads `node:async_hooks` by `import()`.
  test('call AWS where an instance serves several events at once', async () => {
    const management = await start('management', { AWS_LAMBDA_MAX_CONCURRENCY: '4' });

    expect(await management.invoke(publication)).toMatchObject({ ok: true });
  });

  test('never call loopback, whatever the environment says', async () => {
    await published();
    const router = await start('router', {
      NODE_ENV: 'development',
      HOSTED_MCP_ALLOW_LOOPBACK: '1',
      ALLOW_LOOPBACK: 'true',
      TARGETS: '{"loopback":{"exceptPorts":[]}}',
    });

    const call = rpc('tools/call', { name: 'listThings', arguments: {} });
    const answer = (await router.invoke(post(at('seam', '/messages'), call))) as { body: string };
    expect(JSON.parse(answer.body).error).toMatchObject({
      code: -32000,
      data: { reason: 'blocked_address' },
    });
  });

  test('fetch a credential from the broker and send nothing without it', async () => {
    await published();
    const ports = wireManagement(environmentOf(aws, 'management'));
    const credential = { type: 'bearer' as const, token: 'CANARY-0123456789' };
    await setCredential(ports, { ownerId: 'owner-1', slug: 'seam', credential });

    const broker = await start('credentials');
    const router = await start('router');
    aws.aws.onInvoke(async (_name, payload) => ({
      payload: JSON.stringify(await broker.invoke(JSON.parse(payload))),
    }));
    const call = async () => {
      const sent = rpc('tools/call', { name: 'listThings', arguments: {} });
      const answer = (await router.invoke(post(at('seam', '/messages'), sent))) as { body: string };
      return JSON.parse(answer.body).error.data.reason;
    };

    const end = aws.aws.faults.inject({ kind: 'deny', on: { operation: 'Invoke' } });
    expect(await call()).toBe('credential_unavailable');
    expect(router.output()).toContain('denied: lambda: AccessDeniedException');
    end();
    expect(await call()).toBe('blocked_address');
    expect(broker.output()).toContain('"outcome":"ok"');
    expect(broker.output() + router.output()).not.toContain('CANARY');
  });

  test('store the calls that the router has written to its log, line by line as they are', async () => {
    await published();
    const router = await start('router');
    const sent = rpc('tools/call', { name: 'listThings', arguments: {} });
    await router.invoke(post(at('seam', '/messages'), sent));

    const isCall = (line: string) =>
      line.startsWith('{') && JSON.parse(line).message === 'tool_call';
    const lines = router.output().split('\n').filter(isCall);
    expect(lines).toHaveLength(2);
    const activity = await start('activity');
    const event = logEventOf(lines.map((message) => ({ message })));
    expect(await activity.invoke(event)).toEqual({ calls: 2 });
  });

  test('serve the metadata of the authorization server, and have a mail sent', async () => {
    const oauth = await start('oauth');
    const path = '/.well-known/oauth-authorization-server/v1/mcp-oauth-server';
    expect(await oauth.invoke(get(path))).toMatchObject({
      statusCode: 200,
      body: expect.stringContaining('"issuer":"https://mcp.example.com/v1/mcp-oauth-server"'),
    });

    const mails = await start('mails');
    const request = { id: 'mail-1', purpose: 'sign_up', email: 'ann@acme.com' };
    // A function that returns nothing answers null on Lambda.
    expect(await mails.invoke(request)).toBeNull();
    await expect(mails.invoke({ ...request, purpose: 'spam' })).rejects.toThrow(
      'Error: not a request for a mail: purpose',
    );
  });

  test('read the stored rest of a long answer', async () => {
    await published();
    const environment = environmentOf(aws, 'router');
    const { clock, deployments, storedReplies } = wireRouter(environment);
    const { id: deploymentId = '' } = (await deployments.find('seam')) ?? {};
    const answerId = 'a'.repeat(64);
    const place = { deploymentId, caller: 'anonymous 192.0.2.9', answerId };
    await storedReplies.put(place, [{ form: 'text', text: 'Grüße' }], clock.now());

    const router = await start('router');
    const read = async (uri: string) => {
      const sent = post(at('seam', '/messages'), rpc('resources/read', { uri }), {}, '192.0.2.9');
      return JSON.parse(((await router.invoke(sent)) as { body: string }).body);
    };
    expect((await read(replyPartUri(answerId, 1))).result.contents).toMatchObject([
      { text: 'Grüße' },
    ]);
    expect((await read(replyPartUri(answerId, 2))).error.code).toBe(-32002);
    const end = aws.aws.faults.inject({ kind: 'deny', on: { operation: 'GetObject' } });
    expect((await read(replyPartUri(answerId, 1))).error.code).toBe(-32002);
    end();
  });

  test('ask no address for a token that is not public, and leave no secret in the log', async () => {
    await published();
    const ports = wireManagement(environmentOf(aws, 'management'));
    const credential = {
      type: 'oauth_client' as const,
      tokenUrl: 'https://127.0.0.1:1/token',
      clientId: 'service',
      clientSecret: 'CANARY-0123456789',
    };
    await setCredential(ports, { ownerId: 'owner-1', slug: 'seam', credential });

    const connections = await start('connections');
    const router = await start('router');
    aws.aws.onInvoke(async (_name, payload) => ({
      payload: JSON.stringify(await connections.invoke(JSON.parse(payload))),
    }));
    const sent = rpc('tools/call', { name: 'listThings', arguments: {} });
    const answer = (await router.invoke(post(at('seam', '/messages'), sent))) as { body: string };
    expect(JSON.parse(answer.body).error.data).toEqual({ reason: 'token_endpoint_refused' });
    expect(connections.output()).toContain('"outcome":"token_endpoint_refused"');
    expect(connections.output() + router.output()).not.toContain('CANARY');
  });

  test.each([
    ['secrets-manager', 'GetSecretValue'],
    ['envelope', 'Decrypt'],
  ] as const)('recognize AWS errors by their names: %s', async (store, operation) => {
    aws.enforce(store);
    const more = { CREDENTIAL_STORE: store };
    const ports = wireManagement({ ...environmentOf(aws, 'management'), ...more });
    const place = { deploymentId: `dep-${store}`, name: 'main', from: 'store' } as const;
    const ref = { ...place, ownerId: 'owner-1', sealedFor: 'owner-1', version: ports.random.id() };
    await storedCredential(
      DynamoDBDocumentClient.from(aws.client(DynamoDBClient)),
      ports.credentialVault,
      ref,
      {
        type: 'bearer',
        token: 'token',
        origins: [],
      },
    );

    const broker = await start('credentials', more);
    const ask = (version: string) =>
      broker.invoke({
        deployment_id: ref.deploymentId,
        owner_id: ref.ownerId,
        version,
        instance: 'router-1',
        caller: { user: 'user-1', ip: '192.0.2.7', request_id: 'request-1' },
      });
    expect(await ask(ports.random.id())).toEqual({ ok: false, reason: 'missing' });
    let end = aws.aws.faults.inject({ kind: 'deny', on: { operation } });
    expect(await ask(ref.version)).toEqual({ ok: false, reason: 'denied' });
    end();
    end = aws.aws.faults.inject({ kind: 'throttle', on: { operation } });
    expect(await ask(ref.version)).toEqual({ ok: false, reason: 'unavailable' });
    end();
    expect(await ask(ref.version)).toMatchObject({ ok: true });
  });

  // The console serves files without any: there are no hosts of models, then.
  const wanting = (Object.keys(functions) as FunctionName[]).filter((name) => name !== 'console');
  test.each(wanting)('of %s fail for a missing environment variable', async (name) => {
    const lambda = await startWith(name, {});
    await expect(lambda.invoke(get(at('seam', '/health')))).rejects.toThrow(
      `${functions[name].environment[0]} is missing`,
    );
  });
});
