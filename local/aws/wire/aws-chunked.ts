import type { IncomingHttpHeaders } from 'node:http';
import { AwsRefusal } from './refusal.ts';

export interface Payload {
  readonly content: Buffer;
  /** Headers that followed the content, names in lower case. */
  readonly trailers: ReadonlyMap<string, string>;
}

/**
 * The content of an upload, which SDKs may send in the `aws-chunked` form with trailers.
 *
 * Source: Amazon S3 API Reference, "Signature calculations for the Authorization header: Transferring payload
 * in multiple chunks". Chunk signatures are skipped, as are all signatures here.
 *
 * @throws AwsRefusal if it is malformed, or shorter or longer than it says
 */
export const payloadOf = (headers: IncomingHttpHeaders, body: Buffer): Payload => {
  const form = String(headers['x-amz-content-sha256'] ?? '');
  if (!form.startsWith('STREAMING-')) return { content: body, trailers: new Map() };

  const payload = readChunks(body);
  const declared = headers['x-amz-decoded-content-length'];
  if (declared === undefined) {
    throw new AwsRefusal('MissingContentLength', 'x-amz-decoded-content-length is missing.', 411);
  }
  if (Number(declared) !== payload.content.length) throw incomplete();
  return payload;
};

const readChunks = (body: Buffer): Payload => {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = body.indexOf('\r\n', at, 'latin1');
    const [, size] =
      /^([0-9a-f]{1,8})(;[\x21-\x7e]*)?$/i.exec(end < 0 ? '' : body.toString('latin1', at, end)) ??
      [];
    if (size === undefined) throw incomplete();
    const length = Number.parseInt(size, 16);
    at = end + 2;
    if (length === 0) return { content: Buffer.concat(chunks), trailers: readTrailers(body, at) };
    if (body.toString('latin1', at + length, at + length + 2) !== '\r\n') throw incomplete();
    chunks.push(body.subarray(at, at + length));
    at += length + 2;
  }
};

const readTrailers = (body: Buffer, at: number): ReadonlyMap<string, string> => {
  const trailers = new Map<string, string>();
  for (const line of body.toString('latin1', at).split('\r\n')) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    if (colon < 1) throw incomplete();
    trailers.set(line.slice(0, colon).toLowerCase().trim(), line.slice(colon + 1).trim());
  }
  return trailers;
};

const incomplete = () =>
  new AwsRefusal(
    'IncompleteBody',
    'The body does not have the form or the number of bytes that the headers announce.',
  );
