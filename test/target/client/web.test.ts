import { describe, expect, test } from '@jest/globals';
import { web } from '../../../layers/target/client/web.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

const local = web({ policy: { loopback: { exceptPorts: [] } } });
const limits = { maxBytes: 1000, timeoutSeconds: 20 };

const text = (body: Uint8Array): string => Buffer.from(body).toString();

describe('fetching a document from the web', () => {
  test('returns it', async () => {
    await using server = await anHttpServer(({ method }, response) => response.end(method));

    const answer = await local.fetch(`${server.url}/openapi.json`, limits);

    expect(answer).toMatchObject({ status: 200 });
    expect(text(answer.body)).toBe('GET');
  });

  test('returns any status', async () => {
    await using server = await anHttpServer((_, response) => response.writeHead(404).end('none'));

    await expect(local.fetch(server.url, limits)).resolves.toMatchObject({ status: 404 });
  });

  test('follows redirects to other origins', async () => {
    await using other = await anHttpServer((_, response) => response.end('here'));
    await using server = await anHttpServer((_, response) =>
      response.writeHead(302, { location: `http://localhost:${other.port}/` }).end(),
    );

    expect(text((await local.fetch(server.url, limits)).body)).toBe('here');
  });

  test('from exactly one URL returns a redirect as the response', async () => {
    await using server = await anHttpServer((_, response) =>
      response.writeHead(302, { location: '/other' }).end(),
    );

    await expect(local.fetchExactly(server.url, limits)).resolves.toMatchObject({ status: 302 });
    expect(server.requests).toHaveLength(1);
  });

  test('does not keep connections', async () => {
    await using server = await anHttpServer((_, response) => response.end('hi'));

    await local.fetch(server.url, limits);
    await local.fetch(server.url, limits);

    expect(server.connections).toHaveLength(2);
  });

  test('accepts a document of exactly the limit and none beyond', async () => {
    await using server = await anHttpServer(({ url = '' }, response) =>
      response.end('x'.repeat(Number(url.slice(1)))),
    );

    await expect(local.fetch(`${server.url}/1000`, limits)).resolves.toMatchObject({ status: 200 });
    await expect(local.fetch(`${server.url}/1001`, limits)).rejects.toMatchObject({
      reason: 'too_large',
    });
  });

  test('ends at the timeout', async () => {
    await using server = await anHttpServer(() => undefined);

    await expect(local.fetch(server.url, { ...limits, timeoutSeconds: 0.1 })).rejects.toMatchObject(
      {
        reason: 'timeout',
      },
    );
  });

  test('includes all redirects in the timeout', async () => {
    await using server = await anHttpServer((_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 80);
    });

    await expect(local.fetch(server.url, { ...limits, timeoutSeconds: 0.2 })).rejects.toMatchObject(
      {
        reason: 'timeout',
      },
    );
  });

  test('gives up after five redirects', async () => {
    await using server = await anHttpServer((_, response) =>
      response.writeHead(302, { location: '/again' }).end(),
    );

    await expect(local.fetch(server.url, limits)).rejects.toMatchObject({
      reason: 'redirect_refused',
    });
    expect(server.requests).toHaveLength(6);
  });

  test.each([
    ['the instance metadata service', 'http://169.254.169.254/latest/meta-data/'],
    ['a private address', 'https://10.0.0.1/'],
    ['a file', 'file:///etc/passwd'],
    ['http on a public host', 'http://93.184.216.34/'],
  ])('is refused if a redirect leads to %s', async (_, location) => {
    await using server = await anHttpServer((_, response) =>
      response.writeHead(302, { location }).end(),
    );

    await expect(local.fetch(server.url, limits)).rejects.toMatchObject({
      reason: 'blocked_address',
    });
  });

  test('is refused if a redirect leads to an excepted port', async () => {
    await using secret = await anHttpServer((_, response) => response.end('secret'));
    const guarded = web({ policy: { loopback: { exceptPorts: [secret.port] } } });
    await using server = await anHttpServer((_, response) =>
      response.writeHead(302, { location: `http://localhost:${secret.port}/` }).end(),
    );

    await expect(guarded.fetch(server.url, limits)).rejects.toMatchObject({
      reason: 'blocked_address',
    });
    expect(secret.connections).toHaveLength(0);
  });

  test.each([
    'https://localhost/',
    'https://localhost:8443/',
    'http://localhost/',
    'https://127.0.0.1/',
  ])('is refused in production: %s', async (url) => {
    await expect(web({ policy: {} }).fetch(url, limits)).rejects.toMatchObject({
      reason: 'blocked_address',
    });
  });
});
