import { expect, test } from '@jest/globals';
import { guardedFetch } from '../../../layers/target/client/guarded-fetch.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

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
