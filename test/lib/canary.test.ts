import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { compileFunction } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Listening, listening } from '../support/target/listening.ts';
import type { CanaryEvent } from '../../lib/canary/handler.ts';
import { inlineCode } from '../../lib/functions/inline-code.ts';
import { expectFiredBy } from '../support/stacks/alarms.ts';
import { BASE_URL, startRouter, type TestRouter } from '../support/mcp/router.ts';
import { anEvent } from '../support/mcp/router-events.ts';
import { type Statement, synthesized } from '../support/stacks/synthesized.ts';

const NOW = 1_795_176_000_000;
const CODE = inlineCode(new URL('../../lib/canary/handler.ts', import.meta.url));

let router: TestRouter;
let gateway: Listening;
let baseUrl: string;
let walk: (event: CanaryEvent) => Promise<void>;

beforeAll(async () => {
  router = await startRouter();
  await router.publish('status');
  await router.publish('private', { authMethod: 'oauth' });
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const headers = { 'content-type': request.headers['content-type'] };
    const body = await text(request);
    const sent = { headers, ...(body !== '' && { body }) };
    const reply = await router.send(anEvent(method, url, sent));
    // Under the address that the stage has here.
    response.writeHead(reply.statusCode).end(reply.body.replaceAll(BASE_URL, baseUrl));
  });
  gateway = await listening(server);
  baseUrl = `${gateway.url}/v1`;
  // The very text that is in the template, as Lambda takes it.
  const module = { exports: {} as { handler: typeof walk } };
  compileFunction(CODE, ['module', 'exports', 'fetch', 'AbortSignal'])(
    module,
    module.exports,
    fetch,
    AbortSignal,
  );
  walk = module.exports.handler;
});
afterEach(() => router.store.aws.faults.clear());
afterAll(async () => {
  await gateway.stop();
  await router.stop();
});

const aWalk = (over: Partial<CanaryEvent> = {}) =>
  walk({ baseUrl, slug: 'status', tool: 'getPet', arguments: { id: 7 }, ...over });

describe('a walk of the canary', () => {
  test('ends well where the service answers, and has called the tool', async () => {
    const before = router.target.seen.length;
    await aWalk();

    expect(router.target.seen).toHaveLength(before + 1);
  });

  test.each([
    ['a deployment that is not there', { slug: 'nowhere' }, 'discovery: status 404'],
    ['a deployment that wants a token', { slug: 'private' }, 'initialize: status 401'],
    ['a tool that is not there', { tool: 'getUnicorn' }, 'tools/list: there is no tool'],
    ['arguments that are none of the tool', { arguments: {} }, 'tools/call: '],
    [
      'a target that fails',
      { tool: 'fail', arguments: { status: 500 } },
      'tools/call: the tool failed',
    ],
    ['a service that is not there', { baseUrl: 'http://127.0.0.1:1/v1' }, 'discovery: no answer'],
  ])('fails for %s', async (_, over, why) => {
    await expect(aWalk(over)).rejects.toThrow(`the canary failed at ${why}`);
  });

  test('fails where a store is down', async () => {
    router.store.aws.faults.inject({ kind: 'fail', on: { service: 'dynamodb' } });

    await expect(aWalk()).rejects.toThrow(/failed at \w+: status 503/);
  });
});

describe('the canary of a stage', () => {
  const canary = { slug: 'status', tool: 'getPet', arguments: { id: 7 } };
  const { service } = synthesized({ canary });

  test('may write its log and nothing else', () => {
    const [, policy] =
      Object.entries(service.findResources('AWS::IAM::Policy')).find(([id]) =>
        id.startsWith('Canary'),
      ) ?? [];
    const statements = policy?.['Properties'].PolicyDocument.Statement as Statement[];

    expect(statements.map(({ Action }) => Action)).toEqual([
      ['logs:CreateLogStream', 'logs:PutLogEvents'],
    ]);
    expect(JSON.stringify(statements)).toContain('LogsCanary');
  });

  test('walks every five minutes, to the address of the stage', () => {
    const rules = Object.values(service.findResources('AWS::Events::Rule'));
    const rule = rules.find(({ Properties }) => Properties.Description.includes('canary'));

    expect(rule?.['Properties'].ScheduleExpression).toBe('rate(5 minutes)');
    expect(JSON.stringify(rule)).toContain('status');
    expect(JSON.stringify(rule)).toMatch(/\/v1/);
  });

  const walks = (name: 'Invocations' | 'Errors', ...minutes: readonly number[]) =>
    minutes.map((ago) => ({
      namespace: 'AWS/Lambda',
      name,
      dimensions: { FunctionName: 'CanaryFunction' },
      value: 1,
      atMs: NOW - ago * 60_000,
    }));

  test('wakes somebody after ten minutes of walks that failed, and says when one has ended well', () => {
    const begun = walks('Invocations', 0, 5);

    expectFiredBy('Canary', {
      fine: [...begun, ...walks('Errors', 0)],
      fired: [...begun, ...walks('Errors', 0, 5)],
      over: walks('Invocations', -10),
      atMs: NOW,
    });
  });

  test('does so after ten minutes in which no walk was begun', () => {
    expectFiredBy('Canary', {
      fine: walks('Invocations', 5),
      fired: [],
      over: walks('Invocations', -10),
      atMs: NOW,
    });
  });

  test('is not there unless the stage names one', () => {
    const { service: without } = synthesized({ canary: undefined });
    const ids = ['AWS::Lambda::Function', 'AWS::Events::Rule', 'AWS::CloudWatch::Alarm'].flatMap(
      (type) => Object.keys(without.findResources(type)),
    );

    expect(ids.filter((id) => id.includes('Canary'))).toEqual([]);
    expect(Object.keys(service.findResources('AWS::Lambda::Function'))).toContainEqual(
      expect.stringContaining('Canary'),
    );
  });
});
