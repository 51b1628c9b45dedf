import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsKeys } from '../rules/credential.ts';
import { isOfSignature } from '../rules/protected-headers.ts';
import { NoAnswer } from '../rules/target.ts';
import type { Hop } from './exchange.ts';

/** AWS services that sign paths as sent; all others encode them once more. */
const PATHS_AS_THEY_STAND: ReadonlySet<string> = new Set(['s3', 's3-object-lambda', 's3express']);

/**
 * Signs a request with AWS Signature Version 4: method, address, body, content type and all `x-amz-` headers, which
 * must not go unsigned. Path and query are written in the form of RFC 3986, the only one on which all verifiers
 * agree; parameters without a value get an empty one.
 * @param now - the target's clock, in milliseconds since 1970
 * @throws NoAnswer `invalid_request` if path or query contain bytes that are not UTF-8
 * Source: IAM User Guide, "Create a signed AWS API request"; RFC 3986 §2.
 */
export const signedHop = async (hop: Hop, keys: AwsKeys, now: number): Promise<Hop> => {
  const { region, service, accessKeyId, secretAccessKey, sessionToken } = keys;
  const signer = new SignatureV4({
    service,
    region,
    credentials: { accessKeyId, secretAccessKey, sessionToken },
    sha256: Sha256,
    uriEscapePath: !PATHS_AS_THEY_STAND.has(service),
  });
  const path = hop.url.pathname
    .split('/')
    .map((segment) => encoded(decoded(segment, hop)))
    .join('/');
  const pairs = pairsOf(hop);
  const search = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
  const contentType = hop.headers['content-type'];
  const signed = await signer.sign(
    {
      method: hop.method,
      protocol: hop.url.protocol,
      hostname: hop.url.hostname,
      path,
      query: queryOf(pairs),
      headers: {
        // With the port, as it is sent.
        host: hop.url.host,
        ...Object.fromEntries(Object.entries(hop.headers).filter(([name]) => isSignedToo(name))),
        ...(contentType !== undefined && { 'content-type': contentType }),
      },
      ...(hop.body !== undefined && { body: hop.body }),
    },
    { signingDate: new Date(now) },
  );
  const headers = Object.entries(signed.headers).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  return {
    ...hop,
    url: new URL(`${hop.url.origin}${path}${search === '' ? '' : `?${search}`}`),
    headers: { ...hop.headers, ...Object.fromEntries(headers) },
  };
};

/** Headers that the signer makes are left out: a description could set one that exempts the body. */
const isSignedToo = (name: string): boolean => name.startsWith('x-amz-') && !isOfSignature(name);

type Pairs = readonly (readonly [name: string, value: string])[];

/** `+` stays a plus: signatures do not know the form encoding of blanks. */
const pairsOf = (hop: Hop): Pairs =>
  hop.url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decoded(name, hop), decoded(value.join('='), hop)];
    });

const queryOf = (pairs: Pairs): Record<string, string[]> => {
  const query: Record<string, string[]> = Object.create(null);
  for (const [name, value] of pairs) (query[name] ??= []).push(value);
  return query;
};

const decoded = (text: string, { url }: Hop): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new NoAnswer(
      'invalid_request',
      `${url.origin}: the address holds bytes that are no UTF-8, which cannot be signed`,
    );
  }
};

/** Encodes all but unreserved characters. Source: RFC 3986 §2.3. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** The interface that the SDK requires. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined
        ? createHash('sha256')
        : createHmac('sha256', typeof secret === 'string' ? secret : bytesOf(secret));
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof chunk === 'string' ? chunk : bytesOf(chunk));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {}
}

const bytesOf = (data: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);

/** AWS errors for a signature with a wrong time. */
const SKEWED = /RequestTimeTooSkewed|RequestExpired|Signature (?:expired|not yet current)/;

/**
 * How far the target's clock is ahead, if that is why it refused the signature.
 * @param now - when the request was signed, in milliseconds
 * @returns milliseconds; undefined for refusals with another cause
 * Source: IAM User Guide, "Troubleshoot Signature Version 4 requests".
 */
export const clockSkew = (
  {
    status,
    headers,
    body,
  }: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
  },
  now: number,
): number | undefined => {
  if (status !== 403 && status !== 400) return undefined;
  const date = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(date)) return undefined;
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, MOST_LOOKED_AT));
  return SKEWED.test(text.toString('latin1')) ? date - now : undefined;
};

const MOST_LOOKED_AT = 4096;
