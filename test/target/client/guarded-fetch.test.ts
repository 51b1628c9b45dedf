import { expect, test } from '@jest/globals';
import { guardedFetch } from '../../../layers/target/client/guarded-fetch.ts';
import { anHttpServer, aRawServer } from '../../support/target/target-server.ts';

const LOOPBACK = { loopback: { exceptPorts: [] } } as const;

test('an answer whose headers are in UTF-8 is an answer', async () => {
  const name = Buffer.from('Łukasz', 'utf8').toString('latin1');
  await using server = await anHttpServer((_, response) =>
    response.writeHead(200, { 'x-user': name }).end('{"access_token":"a"}'),
  );
  const fetch = guardedFetch({ policy: LOOPBACK, timeoutSeconds: 20 });

  const answer = await fetch(server.url);
  expect(answer.headers.get('x-user')).toBe(name);
  expect(await answer.json()).toEqual({ access_token: 'a' });
});

test.each([200, 299, 404, 599])('an answer may have the status %s', async (status) => {
  await using server = await anHttpServer((_, response) => response.writeHead(status).end());
  const answer = await guardedFetch({ policy: LOOPBACK, timeoutSeconds: 20 })(server.url);

  expect(answer.status).toBe(status);
});

test.each([600, 999])('an answer whose status is %s is none', async (status) => {
  await using server = await aRawServer((socket) =>
    socket.end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\n\r\n`),
  );
  const fetch = guardedFetch({ policy: LOOPBACK, timeoutSeconds: 20 });

  await expect(fetch(server.url)).rejects.toMatchObject({ reason: 'invalid_response' });
});
