import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
// @ts-expect-error it has no types
import aws4 from 'aws4';
import fc from 'fast-check';
import { firstHop, type Hop } from '../../layers/target/client/exchange.ts';
import { clockSkew, signedHop } from '../../layers/target/client/sign-request.ts';
import type { AwsKeys } from '../../layers/target/rules/credential.ts';
import { runs } from '../support/generated/runs.ts';

const COUNT = runs(10_000);

const NOW = Date.UTC(2026, 10, 26, 12);
const KEYS: AwsKeys = {
  type: 'aws_keys',
  region: 'eu-central-1',
  service: 'execute-api',
  accessKeyId: 'ASIAEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: 'FQoGZXIvYXdzEXAMPLE//token==',
};

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const signed = async (sent: Sent, service = 'execute-api') => {
  const keys = { ...KEYS, service };
  return { keys, hop: await signedHop(firstHop({ headers: {}, ...sent }), keys, NOW) };
};
type Signed = Awaited<ReturnType<typeof signed>>;

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=ASIAEXAMPLE\/20261126\/eu-central-1\/([\w-]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;

const partsOf = ({ headers }: Hop) => {
  const [, service, names = '', signature] =
    AUTHORIZATION.exec(headers['authorization'] ?? '') ?? [];
  return { service, names: names.split(';'), signature };
};

/** Those of its headers that are signed, as they go over the wire. */
const signedHeaders = (hop: Hop): Record<string, string> =>
  Object.fromEntries(partsOf(hop).names.map((name) => [name, hop.headers[name] ?? '']));

const bodyOf = ({ body }: Hop): Buffer => Buffer.from(body ?? '');

/** What botocore says of what goes over the wire. */
const byBotocore = (all: readonly Signed[]): readonly string[] => {
  const input = all
    .map(({ keys, hop }) =>
      JSON.stringify({
        ...keys,
        method: hop.method,
        url: hop.url.href,
        headers: signedHeaders(hop),
        body: bodyOf(hop).toString('base64'),
      }),
    )
    .join('\n');
  const script = new URL('signatures.py', import.meta.url).pathname;
  // Debian's package is for Debian's interpreter.
  const ran = spawnSync('/usr/bin/python3', [script], {
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (ran.status !== 0) throw new Error(`botocore did not run: ${ran.stderr}`);
  return ran.stdout.trim().split('\n');
};

const byAws4 = ({ keys, hop }: Signed): string => {
  const request = {
    service: keys.service,
    region: keys.region,
    method: hop.method,
    path: hop.url.pathname + hop.url.search,
    headers: signedHeaders(hop),
    body: bodyOf(hop),
    doNotModifyHeaders: true,
  };
  const signer = new aws4.RequestSigner(request, keys);
  signer.datetime = hop.headers['x-amz-date'];
  signer.prepareRequest();
  return signer.signature();
};

/** It leaves out parameters without a name, and of S3 all but the first of a name; and it merges slashes there, too. */
const isReadByAws4 = ({ keys, hop: { url } }: Signed): boolean => {
  const names = [...url.searchParams.keys()];
  if (names.includes('')) return false;
  const isOnce = new Set(names).size === names.length;
  return keys.service !== 's3' || (isOnce && !/\/\/|%2F/.test(url.pathname));
};

/** Requests that somebody finds another signature for. */
const differing = (all: readonly Signed[], found: readonly (string | undefined)[]) =>
  all.flatMap(({ keys, hop }, index) =>
    partsOf(hop).signature === found[index]
      ? []
      : [`${keys.service}: ${hop.method} ${hop.url.href}`],
  );

const ADDRESSES = [
  'https://abc.execute-api.eu-central-1.amazonaws.com/prod/pets/7?limit=10&sort=-name',
  'https://api.example.com:8443/a%20b/%E2%82%AC;v=1,2/.well-known/~me',
  'https://api.example.com/a//b/%2F/c%2Fd',
  "https://api.example.com/x?filter=a'b(c)*!&q=%2B+%20&empty=&flag&flag=2&b=2&b=1",
  'https://api.example.com/x?a[b]=c&ids=1%2C2&ids=3|4&obj={%22a%22:1}&z=%C3%A9',
  'https://api.example.com/?q=https://x.example/y?z=1%26w',
  'https://api.example.com',
];

describe('a signature of AWS', () => {
  test.each(ADDRESSES)('is what botocore and aws4 find for %s', async (url) => {
    const sent = [
      { method: 'GET', url },
      { method: 'POST', url, headers: { 'content-type': 'application/json' }, body: '{"a":"é"}' },
      { method: 'PUT', url, headers: { 'content-type': 'image/png' }, body: Buffer.from([0, 255]) },
    ];
    const all = await Promise.all(
      sent.flatMap((one) => ['execute-api', 's3'].map((service) => signed(one, service))),
    );

    expect(differing(all, byBotocore(all))).toEqual([]);
    const comparable = all.filter(isReadByAws4);
    expect(differing(comparable, comparable.map(byAws4))).toEqual([]);
  });

  test('is what both find for thousands of requests of any form', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 8 }).filter((one) => one.isWellFormed());
    const reserved = fc.stringMatching(/^[A-Za-z0-9!$'()*+,;:@~._-]{0,8}$/);
    const part = fc.oneof(text.map(encodeURIComponent), reserved);
    const pair = fc.tuple(part, fc.option(part, { nil: undefined }));
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      path: fc.array(part, { maxLength: 5 }),
      pairs: fc.array(pair, { maxLength: 5 }),
      body: fc.option(fc.uint8Array({ maxLength: 32 }), { nil: undefined }),
      service: fc.constantFrom('execute-api', 'appsync', 'lambda', 'es', 'aoss'),
    });
    const sample = fc.sample(request, { numRuns: COUNT, seed: 20_261_126 });
    const all = await Promise.all(
      sample.map(({ method, path, pairs, body, service }) => {
        const query = pairs.map((one) => one.filter((its) => its !== undefined).join('='));
        const search = query.length > 0 ? `?${query.join('&')}` : '';
        const url = `https://api.example.com/${path.join('/')}${search}`;
        const headers = { 'content-type': 'application/octet-stream' };
        return signed({ method, url, ...(body && { body, headers }) }, service);
      }),
    );

    expect(differing(all, byBotocore(all))).toEqual([]);
    const comparable = all.filter(isReadByAws4);
    expect(comparable.length).toBeGreaterThan(0.7 * COUNT);
    expect(differing(comparable, comparable.map(byAws4))).toEqual([]);
  });

  test('is over host with port, media type, body, date and token of the session', async () => {
    const { hop } = await signed({
      method: 'POST',
      url: 'https://api.example.com:8443/x',
      headers: { 'content-type': 'text/plain', 'x-tenant': 'acme' },
      body: 'a',
    });

    expect(partsOf(hop).names).toEqual([
      'content-type',
      'host',
      'x-amz-content-sha256',
      'x-amz-date',
      'x-amz-security-token',
    ]);
    expect(hop.headers).toMatchObject({ host: 'api.example.com:8443', 'x-tenant': 'acme' });
  });

  test('is over every header of AWS that is sent, and over the body whatever one of them says', async () => {
    const all = await Promise.all(
      ['execute-api', 's3'].map((service) =>
        signed(
          {
            method: 'POST',
            url: 'https://api.example.com/x',
            headers: {
              'x-amz-target': 'Orders.List',
              'x-amz-meta-note': '  two   words ',
              'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
              'x-amz-date': '20300101T000000Z',
            },
            body: 'a',
          },
          service,
        ),
      ),
    );

    for (const { hop } of all) {
      const sent = Object.keys(hop.headers).filter((name) => name.startsWith('x-amz-'));
      expect(partsOf(hop).names).toEqual(expect.arrayContaining(sent));
      expect(hop.headers).toMatchObject({
        'x-amz-content-sha256': createHash('sha256').update('a').digest('hex'),
        'x-amz-date': '20261126T120000Z',
      });
    }
    expect(differing(all, byBotocore(all))).toEqual([]);
    expect(differing(all, all.map(byAws4))).toEqual([]);
  });

  test('is not made of bytes that are no text', async () => {
    await expect(
      signed({ method: 'GET', url: 'https://api.example.com/%FF?a=%C3%28' }),
    ).rejects.toMatchObject({ reason: 'invalid_request' });
  });

  test('is made anew where the clock of the target is another one', () => {
    const answer = (text: string, date = 'Thu, 26 Nov 2026 12:20:00 GMT', status = 403) => ({
      status,
      headers: { date },
      body: Buffer.from(text),
    });

    expect(clockSkew(answer('{"message":"Signature expired: 20261126T120000Z"}'), NOW)).toBe(
      1_200_000,
    );
    expect(clockSkew(answer('<Code>RequestTimeTooSkewed</Code>'), NOW)).toBe(1_200_000);
    expect(clockSkew(answer('{"message":"Forbidden"}'), NOW)).toBeUndefined();
    expect(clockSkew(answer('Signature expired', 'yesterday'), NOW)).toBeUndefined();
    expect(clockSkew(answer('Signature expired', undefined, 200), NOW)).toBeUndefined();
  });
});
