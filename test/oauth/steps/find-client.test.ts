import { afterAll, describe, expect, test } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { ClientDocumentHosts } from '../../../layers/oauth/rules/clients/client-document-hosts.ts';
import { findClient } from '../../../layers/oauth/steps/clients/authenticate-client.ts';
import { anOAuthService, NOON, REDIRECT_URI } from '../../support/oauth/oauth.ts';
import { anHttpServer, type TargetServer } from '../../support/target/target-server.ts';

const service = await anOAuthService();
afterAll(() => service.stop());

const PATH = '/client.json';
const json = { 'content-type': 'application/json' };

/** Serves the document of a client whose id is the address it is served at, or what `over` makes of it. */
const aClientServer = (
  over: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<TargetServer> =>
  anHttpServer((request, response) => {
    const client_id = `http://${request.headers.host}${request.url}`;
    const document = { client_id, client_name: 'An app', redirect_uris: [REDIRECT_URI], ...over };
    response.writeHead(200, { ...json, ...headers }).end(JSON.stringify(document));
  });

const find = (id: string) => findClient(service.ports, id);
const found = (server: TargetServer, path = PATH) => find(`${server.url}${path}`);

describe('finding a client', () => {
  test('finds a registered client', async () => {
    const client = await service.client();

    expect(await find(client.id)).toEqual(client);
  });

  test('finds a client by its client id metadata document', async () => {
    await using server = await aClientServer({ scope: 'email' });

    expect(await found(server)).toEqual({
      id: `${server.url}${PATH}`,
      source: 'metadata_document',
      name: 'An app',
      redirectUris: [REDIRECT_URI],
      authMethod: 'none',
      scopes: ['email'],
      createdAt: NOON,
      expiresAt: NOON + 3600,
    });
  });

  test.each([
    'mcp_unknown',
    'anything',
    '',
    'https://app.example.com',
    'ftp://app.example.com/client.json',
    `mcp_${'a'.repeat(5000)}`,
  ])('finds no client for the id %j', async (id) => {
    await expect(find(id)).rejects.toMatchObject({ code: 'invalid_client' });
  });
});

describe('a client id metadata document', () => {
  test.each([
    ['an hour', {}, 3600],
    ['as long as its server says', { 'cache-control': 'max-age=600' }, 600],
    ['five minutes at least', { 'cache-control': 'no-store' }, 300],
    ['a day at most', { 'cache-control': 'max-age=31536000' }, 86_400],
  ])('is cached for %s and then fetched again', async (_, headers, seconds) => {
    await using server = await aClientServer({}, headers);

    await found(server);
    service.clock.time = NOON + seconds - 1;
    await found(server);
    expect(server.requests).toHaveLength(1);

    service.clock.time = NOON + seconds;
    await found(server);
    service.clock.time = NOON;
    expect(server.requests).toHaveLength(2);
  });

  test('that was invalid is fetched again at once', async () => {
    let status = 500;
    await using server = await anHttpServer(({ headers }, response) => {
      const client_id = `http://${headers.host}${PATH}`;
      const document = { client_id, redirect_uris: [REDIRECT_URI] };
      response.writeHead(status, json).end(JSON.stringify(document));
    });
    await expect(found(server)).rejects.toMatchObject({ code: 'invalid_client' });

    status = 200;

    expect((await found(server)).id).toBe(`${server.url}${PATH}`);
  });

  test('is fetched without cookies and credentials', async () => {
    await using server = await aClientServer();

    await found(server);

    expect(server.requests).toMatchObject([{ method: 'GET', url: PATH }]);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(server.requests[0]?.headers).not.toHaveProperty('cookie');
  });

  const sized = (bytes: number) =>
    anHttpServer(({ headers }, response) => {
      const client_id = `http://${headers.host}${PATH}`;
      const text = JSON.stringify({ client_id, redirect_uris: [REDIRECT_URI] });
      response.writeHead(200, json).end(text.padEnd(bytes, ' '));
    });

  test('may have 5 KB but not one byte more', async () => {
    await using most = await sized(5120);
    await using more = await sized(5121);

    expect((await found(most)).redirectUris).toEqual([REDIRECT_URI]);
    await expect(found(more)).rejects.toMatchObject({ code: 'invalid_client' });
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['redirects', (response) => response.writeHead(302, { location: '/other.json' }).end()],
    ['redirects to nowhere', (response) => response.writeHead(302, { location: 'http://' }).end()],
    ['answers 404', (response) => response.writeHead(404, json).end('{}')],
    ['sends HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end()],
    ['sends malformed JSON', (response) => response.writeHead(200, json).end('{')],
    ['closes the connection', (response) => response.socket?.destroy()],
  ])('is refused where its server %s', async (_, answer) => {
    await using server = await anHttpServer(({ url }, response) => {
      if (url === PATH) answer(response);
      else response.writeHead(200, json).end('{}');
    });

    await expect(found(server)).rejects.toMatchObject({ code: 'invalid_client' });
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ['another id', { client_id: 'https://app.example.com/client.json' }],
    ['a redirect URI over http', { redirect_uris: ['http://app.example.com/'] }],
    ['signatures alone, but no keys', { token_endpoint_auth_method: 'private_key_jwt' }],
  ])('is refused with %s', async (_, over) => {
    await using server = await aClientServer(over);

    await expect(found(server)).rejects.toMatchObject({ code: 'invalid_client' });
  });

  test('is taken only of hosts that the operator takes, remembered or not', async () => {
    await using server = await aClientServer();
    const id = `${server.url}${PATH}`;
    const finding = (clientDocumentHosts: ClientDocumentHosts) =>
      findClient(
        { ...service.ports, settings: { ...service.ports.settings, clientDocumentHosts } },
        id,
      );
    const refused = {
      code: 'invalid_client',
      description: expect.stringContaining(`this service takes none from ${new URL(id).host}`),
      details: { document: 'unusable' },
    };

    await expect(finding({ allow: ['app.example.com'] })).rejects.toMatchObject(refused);
    expect(server.requests).toEqual([]);
    expect(await finding({ allow: ['127.0.0.1'] })).toMatchObject({ id });
    await expect(finding({ deny: ['127.0.0.1'] })).rejects.toMatchObject(refused);
  });

  test.each([
    ['in a private network', 'https://10.0.0.1/client.json'],
    ['of the instance metadata service', 'https://169.254.169.254/latest/meta-data'],
    ['on a port of ours', () => `http://127.0.0.1:${service.store.aws.ports[0]}/client.json`],
  ])('is not fetched %s', async (_, id) => {
    const refusal = find(typeof id === 'string' ? id : id());

    await expect(refusal).rejects.toMatchObject({
      code: 'invalid_client',
      description: expect.stringContaining('blocked_address'),
    });
  });
});
