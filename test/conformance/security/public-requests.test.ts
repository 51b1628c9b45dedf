import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inOneMinute } from '../../support/minute.ts';
import { fetchFrom, otherAddress, type Sent } from '../../support/target/other-address.ts';
import {
  type PublishedServer,
  startWholeService,
  type WholeService,
} from '../../support/service/whole-service.ts';

const LIMIT = 2;

let service: WholeService;
let server: PublishedServer;
beforeAll(async () => {
  service = await startWholeService({ public_requests_per_minute_per_ip: LIMIT });
  server = await service.publish(await service.person(), { authMethod: 'none' });
});
afterAll(() => service.stop());

let addresses = 100;
/** The statuses of as many requests from one address as are allowed, and of one more. */
const statusesOf = async (end: string, sent: Sent): Promise<readonly number[]> => {
  await inOneMinute();
  const address = otherAddress((addresses += 1));
  const statuses = [];
  for (let count = 0; count <= LIMIT; count += 1) {
    statuses.push((await fetchFrom(address, `${server.url}${end}`, sent)).status);
  }
  return statuses;
};

const JSON_TYPE = { 'content-type': 'application/json' };
const EVENTS = { accept: 'text/event-stream' };
const said = (message: object): Sent => ({
  method: 'POST',
  headers: JSON_TYPE,
  body: JSON.stringify(message),
});
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('the rate limit of a public deployment', () => {
  test.each<[string, string, Sent, number]>([
    ['ping', '/messages', said(PING), 200],
    ['a notification', '/messages', said({ jsonrpc: '2.0', method: 'notifications/x' }), 202],
    ['the event stream', '/messages', { headers: EVENTS }, 200],
    ['a request for another type', '/messages', {}, 405],
    ['a body that is no JSON', '/messages', { ...said({}), body: '{' }, 400],
    ['another media type', '/messages', { method: 'POST', body: 'x' }, 415],
    ['another method', '/messages', { method: 'DELETE' }, 405],
    ['a strange origin', '/messages', { headers: { ...EVENTS, origin: 'no origin' } }, 403],
    ['the page for people', '/docs', {}, 200],
  ])('counts %s', async (_, end, sent, status) => {
    expect(await statusesOf(end, sent)).toEqual([...Array(LIMIT).fill(status), 429]);
  });

  test('counts each message of a batch', async () => {
    const batch = [PING, { jsonrpc: '2.0', method: 'notifications/x' }];

    expect(await statusesOf('/messages', said(batch))).toEqual([200, 429, 429]);
  });

  test.each<[string, string, Sent, number]>([
    ['metadata', '/.well-known/mcp-server', {}, 200],
    ['metadata at the base URL', '', {}, 200],
    ['health', '/health', {}, 200],
    ['a preflight', '/messages', { method: 'OPTIONS' }, 204],
  ])('does not count %s', async (_, end, sent, status) => {
    expect(await statusesOf(end, sent)).toEqual(Array(LIMIT + 1).fill(status));
  });
});
