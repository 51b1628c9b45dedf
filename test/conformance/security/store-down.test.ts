import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { FaultKind } from '../../../local/aws/faults.ts';
import { aRawClient } from '../../support/oauth/raw-oauth-client.ts';
import {
  type Person,
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

let service: WholeService;
let person: Person;
beforeAll(async () => {
  service = await startWholeService();
  person = await service.person();
});
afterEach(() => service.aws.faults.clear());
afterAll(() => service.stop());

/** Longer than anybody waits for a store of this machine, twice. */
const SILENCE: FaultKind = { kind: 'delay', ms: 13_000 };
const FAULTS: readonly (readonly [string, FaultKind])[] = [
  ['fails', { kind: 'fail' }],
  ['throttles', { kind: 'throttle' }],
  ['closes connections', { kind: 'drop' }],
  ['says nothing', SILENCE],
];

/** What no instance of the router has read: its cache is cold. */
const unread = (over: object): Promise<PublishedServer> => service.publish(person, { ...over });

const call = (url: string, token = ''): Promise<Response> =>
  service.fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  });

const told = async (answer: Response) => ({
  status: answer.status,
  retryAfter: answer.headers.get('retry-after'),
  type: answer.headers.get('content-type'),
  readable: answer.headers.get('access-control-allow-origin'),
  body: (await answer.json()) as unknown,
});

const UNAVAILABLE = {
  status: 503,
  retryAfter: '5',
  type: 'application/json; charset=utf-8',
  readable: '*',
  body: { error: 'unavailable', error_description: 'The service is busy. Try again in a moment.' },
};

describe('a router that remembers nothing, while the store', () => {
  test.each(FAULTS)(
    '%s, says that it is busy, and serves once the store is back',
    async (_, fault) => {
      const server = await unread({ authMethod: 'none' });
      service.aws.faults.inject({ ...fault, on: { caller: 'router', service: 'dynamodb' } });

      expect(await told(await call(server.messagesUrl))).toEqual(UNAVAILABLE);
      service.aws.faults.clear();
      expect((await call(server.messagesUrl)).status).toBe(200);
    },
  );

  test('fails, says so of tokens too, and refuses none of them', async () => {
    const server = await unread({});
    const client = await aRawClient(service);
    const { access_token: token } = await client.tokens(service.browser(), person, server);
    service.aws.faults.inject({ kind: 'fail', on: { caller: 'router', service: 'dynamodb' } });

    expect(await told(await call(server.messagesUrl, token))).toEqual(UNAVAILABLE);
    expect(await told(await call(server.messagesUrl, 'not-a-token'))).toEqual(UNAVAILABLE);
    service.aws.faults.clear();
    expect((await call(server.messagesUrl, token)).status).toBe(200);
  });

  test('fails for all but the deployment, passes nobody uncounted', async () => {
    const server = await unread({ authMethod: 'none' });
    const on = { caller: 'router', operation: 'UpdateItem' } as const;
    service.aws.faults.inject({ kind: 'fail', on });

    expect(await told(await call(server.messagesUrl))).toEqual(UNAVAILABLE);
  });

  test('fails, and says so of documents as well', async () => {
    const server = await unread({});
    service.aws.faults.inject({ kind: 'fail', on: { caller: 'router', service: 'dynamodb' } });

    for (const end of ['', '/health', '/docs', '/.well-known/oauth-protected-resource']) {
      expect(await told(await service.fetch(`${server.url}${end}`))).toEqual(UNAVAILABLE);
    }
  });
});
