import { get } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { agentPool } from '../../../layers/target/client/exchange.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

const pool = agentPool({ policy: { loopback: { exceptPorts: [] } }, connectTimeoutSeconds: 3 });

afterEach(() => pool.close());

const others = (count: number) => Array.from({ length: count }, (_, index) => `other-${index}`);

const leaveOneIdle = ({ url }: TargetServer) =>
  new Promise((resolve) => {
    const agent = pool.of('first').http;
    get(url, { agent }, (response) => response.resume());
    agent.once('free', () => process.nextTick(resolve));
  });

describe('the HTTP agents of a deployment', () => {
  test('are separate from others and the same each time', () => {
    expect(pool.of('a')).toBe(pool.of('a'));
    expect(pool.of('a')).not.toBe(pool.of('b'));
  });

  test('are kept while at most 255 other deployments are used', () => {
    const agents = pool.of('first');
    for (const other of others(255)) pool.of(other);

    expect(pool.of('first')).toBe(agents);
    for (const other of others(255)) pool.of(other);

    expect(pool.of('first')).toBe(agents);
  });

  test('are dropped for the 256th other deployment, with idle connections closed', async () => {
    await using server = await anHttpServer((_, response) => response.end('hi'));
    const agents = pool.of('first');
    await leaveOneIdle(server);
    const idle = Object.values(agents.http.freeSockets).flat();

    for (const other of others(256)) pool.of(other);

    expect(idle.map((socket) => socket?.destroyed)).toEqual([true]);
    expect(pool.of('first')).not.toBe(agents);
  });

  test('check addresses themselves', async () => {
    await using server = await anHttpServer((_, response) => response.end('hi'));
    const production = agentPool({ policy: {}, connectTimeoutSeconds: 3 });
    const agent = production.of('a').http;

    expect(() => get(server.url, { agent })).toThrow('127.0.0.1 is not open to requests');
    expect(server.connections).toHaveLength(0);
  });
});
