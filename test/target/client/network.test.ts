import { afterEach, describe, expect, test } from '@jest/globals';
import type { Lookup } from '../../../layers/target/client/exchange.ts';
import { checkUrl } from '../../../layers/target/client/guard.ts';
import { type ClosableTargetApi, targetApi } from '../../../layers/target/client/target-api.ts';
import type { Network } from '../../../layers/target/rules/network.ts';
import type { NoAnswerReason } from '../../../layers/target/rules/target.ts';
import { anHttpServer, anHttpsServer, certificate } from '../../support/target/target-server.ts';

const opened: ClosableTargetApi[] = [];
const asked: string[] = [];

/** Two machines of a network, and one of another: on this machine each address of 127.0.0.0/8 is one. */
const aNetwork = (over: Partial<Network> = {}) => ({
  name: 'orders',
  hosts: ['*.orders.internal', 'localhost'],
  ranges: ['127.0.0.2/32', '127.0.0.3/32', '10.20.0.0/16'],
  http: false,
  certificateAuthorities: [],
  exceptAddresses: ['10.20.0.2'],
  ...over,
});

/** @param answers - of the resolver, one after the other; the last one again and again */
const aClient = (over: Partial<Network> = {}, ...answers: string[][]): ClosableTargetApi => {
  const lookup: Lookup = (host, _, callback) => {
    asked.push(host);
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  const policy = { loopback: { exceptPorts: [] }, network: aNetwork(over) };
  const limits = { timeoutSeconds: 5, maxBytes: 1000, connectTimeoutSeconds: 1 };
  const client = targetApi({ policy, ...limits, lookup });
  opened.push(client);
  return client;
};

afterEach(() => {
  for (const client of opened.splice(0)) client.close();
  asked.length = 0;
});

const get = (client: ClosableTargetApi, url: string) =>
  client.send('d', { method: 'GET', url, headers: {} });

const refused = (reason: NoAnswerReason) => expect.objectContaining({ name: 'NoAnswer', reason });

describe('a request in a private network', () => {
  test('goes to a machine of its ranges by a name of its list, and to no machine beside them', async () => {
    await using inside = await anHttpServer((_, response) => response.end('in'), '127.0.0.2');
    await using outside = await anHttpServer((_, response) => response.end('out'), '127.0.0.4');

    const answer = await get(
      aClient({}, ['127.0.0.2']),
      `http://api.orders.internal:${inside.port}`,
    );
    const other = get(aClient({}, ['127.0.0.4']), `http://api.orders.internal:${outside.port}`);

    expect(Buffer.from(answer.body).toString()).toBe('in');
    await expect(other).rejects.toEqual(refused('address_not_in_network'));
    expect(outside.connections).toHaveLength(0);
  });

  test.each([
    'https://orders.internal/',
    'https://evil.example/',
    'https://api.orders.internal.evil.example/',
    'https://127.0.0.2/',
    'https://2130706434/',
    'https://0177.0.0.2/',
    'https://[::ffff:127.0.0.2]/',
  ])('is refused before anything is resolved where the list has no %s', async (url) => {
    await expect(get(aClient({}, ['127.0.0.2']), url)).rejects.toEqual(
      refused('host_not_in_network'),
    );
    expect(asked).toEqual([]);
  });

  test.each([
    ['instance metadata', ['169.254.169.254']],
    ['metadata of containers', ['169.254.170.2']],
    ['metadata over IPv6', ['fd00:ec2::254']],
    ['mapped metadata', ['::ffff:169.254.169.254']],
    ['metadata by NAT64', ['64:ff9b::a9fe:a9fe']],
    ['metadata by 6to4', ['2002:a9fe:a9fe::1']],
    ['a link-local address', ['fe80::1']],
    ['the unspecified address', ['0.0.0.0']],
    ['the resolver', ['10.20.0.2']],
    ['metadata beside a good address', ['127.0.0.2', '169.254.169.254']],
  ])('never goes to %s, whatever the ranges say', async (_, addresses) => {
    const ranges = ['127.0.0.2/32', '169.254.0.0/16', '10.20.0.0/16', 'fd00::/8', 'fe80::/10'];
    const everywhere = [...ranges, '0.0.0.0/32', '64:ff9b::/96', '2002::/16', '::ffff:0:0/96'];

    const sent = get(aClient({ ranges: everywhere }, addresses), 'https://api.orders.internal/');

    await expect(sent).rejects.toEqual(refused('blocked_address'));
  });

  test('goes to no address of another network, whatever stands beside it', async () => {
    const sent = get(aClient({}, ['127.0.0.2', '10.21.0.1']), 'https://api.orders.internal/');

    await expect(sent).rejects.toEqual(refused('address_not_in_network'));
  });

  test('goes where its name led when it was checked, though the name leads elsewhere at once', async () => {
    await using inside = await anHttpServer((_, response) => response.end('in'), '127.0.0.2');
    const client = aClient({}, ['127.0.0.2'], ['169.254.169.254']);
    const url = `http://api.orders.internal:${inside.port}`;

    const first = await get(client, url);
    // Its kept connection leads to the machine that was checked.
    const second = await get(client, url);
    inside.connections[0]?.destroy();
    const third = get(client, url);

    expect([first.status, second.status]).toEqual([200, 200]);
    await expect(third).rejects.toEqual(refused('blocked_address'));
  });

  test('does not follow a redirect out of its list', async () => {
    await using inside = await anHttpServer(
      (_, response) => response.writeHead(302, { location: 'https://169.254.169.254/' }).end(),
      '127.0.0.2',
    );

    const answer = await get(
      aClient({}, ['127.0.0.2']),
      `http://api.orders.internal:${inside.port}`,
    );

    expect(answer.status).toBe(302);
  });

  test('goes over http where the network says so, and nowhere else', () => {
    const url = new URL('http://api.orders.internal/');
    const exceptAddresses: string[] = [];

    expect(() => checkUrl({ network: aNetwork() }, url)).toThrow(
      expect.objectContaining({ reason: 'blocked_address' }),
    );
    expect(() =>
      checkUrl({ network: { ...aNetwork({ http: true }), exceptAddresses } }, url),
    ).not.toThrow();
  });

  test('trusts an authority of its own network, which no other network trusts', async () => {
    await using server = await anHttpsServer((_, response) => response.end('hi'), '127.0.0.2');
    const url = `https://localhost:${server.port}`;

    const trusting = await get(
      aClient({ certificateAuthorities: [certificate] }, ['127.0.0.2']),
      url,
    );
    const other = get(aClient({}, ['127.0.0.2']), url);

    expect(trusting.status).toBe(200);
    await expect(other).rejects.toEqual(refused('certificate_self_signed'));
  });

  test('has no loopback address on AWS, though a range had it', async () => {
    const policy = { network: aNetwork({ http: true }) };
    const client = targetApi({ policy, timeoutSeconds: 5, maxBytes: 1000 });
    opened.push(client);

    await expect(get(client, 'https://localhost/')).rejects.toEqual(refused('blocked_address'));
  });
});
