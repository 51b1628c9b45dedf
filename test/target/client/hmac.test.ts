import { createHash, createHmac } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { hmacFindings } from '../../../layers/credentials/rules/hmac-recipe.ts';
import { targetApi } from '../../../layers/target/client/target-api.ts';
import type { HmacKey, SentCredential } from '../../../layers/target/rules/credential.ts';
import { withCredential } from '../../../layers/tools/request/build-request.ts';
import { anHttpServer } from '../../support/target/target-server.ts';

const SECRET = 'CANARY-hmac-secret';
const NOW = 1_800_000_000;
const client = targetApi({
  policy: { loopback: { exceptPorts: [] } },
  timeoutSeconds: 5,
  maxBytes: 1000,
  clock: { now: () => NOW, elapsedMs: () => 0 } as never,
});
afterAll(() => client.close());

const RECIPE: HmacKey = {
  type: 'hmac',
  algorithm: 'sha256',
  signed: '{timestamp}\n{method}\n{target}\n{body_hash}\n{body}',
  headers: { 'X-Time': '{timestamp}', Authorization: 'HMAC {key_id}:{signature}' },
  encoding: 'base64',
  keyId: 'client-7',
  secret: SECRET,
};

describe('a signature by the recipe of an API', () => {
  test('is over the finished bytes, in the headers that it names, and follows no redirect', async () => {
    await using server = await anHttpServer((_, response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    );
    const body = Buffer.from('{"name":"é {signature}"}');
    const credential: SentCredential = { ...RECIPE, origins: [server.url] };
    const request = { method: 'POST', url: `${server.url}/a%20b?q=1`, headers: {} };
    await client.send('dep-1', { ...withCredential(request, credential), body });

    const hash = createHash('sha256').update(body).digest('base64');
    const message = Buffer.concat([Buffer.from(`${NOW}\nPOST\n/a%20b?q=1\n${hash}\n`), body]);
    const signature = createHmac('sha256', SECRET).update(message).digest('base64');
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers).toMatchObject({
      'x-time': String(NOW),
      authorization: `HMAC client-7:${signature}`,
    });
    expect(JSON.stringify(server.requests)).not.toContain(SECRET);
  });

  test.each<[string, Partial<HmacKey>, string, string]>([
    ['a part that is none', { signed: '{metod}' }, '/signed', 'Did you mean {method}?'],
    ['no signature', { headers: { 'X-Time': '{timestamp}' } }, '/headers', '{signature}'],
    ['the signature in what is signed', { signed: '{signature}' }, '/signed', 'It can be'],
    ['a body in a header', { headers: { A: '{body}{signature}' } }, '/headers/A', '{body_hash}'],
    [
      'a header of the connection',
      { headers: { Host: '{signature}' } },
      '/headers/Host',
      'connection',
    ],
    ['a line break', { headers: { A: '{signature}\r\nB: c' } }, '/headers/A', 'one line'],
    ['no secret', { secret: '' }, '/secret', 'Give the secret.'],
  ])('is not set up with %s', (_, over, where, hint) => {
    const findings = hmacFindings({ ...RECIPE, ...over });

    expect(findings.some((one) => one.where === where && one.hint.includes(hint))).toBe(true);
    expect(JSON.stringify(findings)).not.toContain(SECRET);
    expect(hmacFindings(RECIPE)).toEqual([]);
  });
});
