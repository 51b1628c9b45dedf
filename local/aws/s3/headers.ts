import type { IncomingHttpHeaders } from 'node:http';
import { AwsRefusal } from '../wire/refusal.ts';
import type { AwsReply } from '../wire/service.ts';
import type { ObjectHead } from './bucket.ts';
import { notImplemented } from './route.ts';

const KEPT = [
  'cache-control',
  'content-disposition',
  'content-language',
  'content-type',
  'expires',
  'x-amz-server-side-encryption',
  'x-amz-server-side-encryption-aws-kms-key-id',
];

/** What signing and checksums need; any other `x-amz-` header would ask for a behaviour that is missing. */
const UNDERSTOOD =
  /^x-amz-(meta-.+|checksum-.+|content-sha256|date|decoded-content-length|sdk-checksum-algorithm|security-token|trailer|user-agent)$/;

/** The headers of an upload that come back with its content. @throws AwsRefusal */
export const keptHeaders = (headers: IncomingHttpHeaders): ObjectHead['headers'] => {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (KEPT.includes(name) || name.startsWith('x-amz-meta-')) kept[name] = String(value);
    else if (name.startsWith('x-amz-') && !UNDERSTOOD.test(name)) throw notImplemented(name);
  }
  const encoding = String(headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'aws-chunked');
  if (encoding.length > 0) kept['content-encoding'] = encoding.join(',');

  const metadata = Object.entries(kept).filter(([name]) => name.startsWith('x-amz-meta-'));
  if (Buffer.byteLength(metadata.flat().join('')) > 2048 + metadata.length * 11) {
    throw new AwsRefusal('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed.');
  }
  return kept;
};

export const replyHeaders = (head: ObjectHead, request: IncomingHttpHeaders) => ({
  'content-type': 'binary/octet-stream',
  ...head.headers,
  'accept-ranges': 'bytes',
  etag: head.etag,
  'last-modified': new Date(head.modifiedAt).toUTCString(),
  ...(request['x-amz-checksum-mode'] === 'ENABLED' && {
    'x-amz-checksum-crc32': head.crc32,
    'x-amz-checksum-type': 'FULL_OBJECT',
  }),
});

/** Refuses a write whose condition does not hold. @throws AwsRefusal */
export const checkWrite = (
  { 'if-none-match': none, 'if-match': match }: IncomingHttpHeaders,
  current: ObjectHead | undefined,
): void => {
  if (none !== undefined && none !== '*') throw notImplemented('If-None-Match with an ETag');
  if (none === '*' && current) throw preconditionFailed();
  if (match === undefined) return;
  if (!current) throw noSuchKey();
  if (match !== current.etag) throw preconditionFailed();
};

/** @returns the 304 if the reader has this content already. @throws AwsRefusal */
export const checkRead = (
  { 'if-none-match': none, 'if-match': match, ...headers }: IncomingHttpHeaders,
  head: ObjectHead,
): AwsReply | undefined => {
  if (headers['if-modified-since'] ?? headers['if-unmodified-since']) {
    throw notImplemented('A condition on time');
  }
  if (match !== undefined && match !== '*' && match !== head.etag) throw preconditionFailed();
  return none === head.etag || none === '*'
    ? { status: 304, headers: { etag: head.etag } }
    : undefined;
};

export const noSuchKey = () =>
  new AwsRefusal('NoSuchKey', 'The specified key does not exist.', 404);

const preconditionFailed = () =>
  new AwsRefusal(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    412,
  );
