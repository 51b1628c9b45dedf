import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

interface Signed {
  readonly method: string;
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

const MOST_AGE_MS = 15 * 60_000;

/**
 * Whether the holder of a secret key has signed a request within the last quarter of an hour. Only STS checks it:
 * others send it requests that somebody has signed to prove who they are, and have no other proof.
 * Source: IAM User Guide, "Create a signed AWS API request".
 */
export const isSignedBy = (
  secretAccessKey: string,
  { method, path, query, headers, body }: Signed,
): boolean => {
  const { authorization = '', 'x-amz-date': date } = headers;
  const [, day = '', region = '', service = '', names = '', given = ''] =
    FORM.exec(authorization) ?? [];
  if (typeof date !== 'string' || !date.startsWith(day) || given === '') return false;
  if (Math.abs(Date.now() - momentOf(date)) > MOST_AGE_MS) return false;
  const signed = names.split(';');
  if (!signed.includes('host')) return false;
  const canonical = [
    method,
    path,
    [...query]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .toSorted()
      .join('&'),
    ...signed.map((name) => `${name}:${valueOf(headers[name])}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(Buffer.from(canonical))].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${secretAccessKey}`,
  );
  return timingSafeEqual(hmac(key, text), Buffer.from(given, 'hex'));
};

const FORM =
  /^AWS4-HMAC-SHA256 +Credential=[^/, ]+\/(\d{8})\/([^/, ]+)\/([^/, ]+)\/aws4_request, *SignedHeaders=([^, ]+), *Signature=([\da-f]{64})$/;

const momentOf = (date: string): number =>
  Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

const valueOf = (value: string | readonly string[] | undefined): string =>
  [value ?? ''].flat().join(',').trim().replaceAll(/ +/g, ' ');

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();
