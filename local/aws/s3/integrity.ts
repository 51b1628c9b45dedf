import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32 } from 'node:zlib';
import { payloadOf } from '../wire/aws-chunked.ts';
import { AwsRefusal } from '../wire/refusal.ts';

const CHECKSUMS: Readonly<Record<string, (content: Buffer) => string>> = {
  'x-amz-checksum-crc32': (content) => crc32Of(content),
  'x-amz-checksum-sha1': (content) => createHash('sha1').update(content).digest('base64'),
  'x-amz-checksum-sha256': (content) => createHash('sha256').update(content).digest('base64'),
};

export const crc32Of = (content: Buffer): string => {
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return checksum.toString('base64');
};

/**
 * The uploaded content, proven to be what the sender has by every checksum that came with it.
 *
 * @throws AwsRefusal if one does not match or is of a kind that is not implemented
 */
export const verifiedContent = (headers: IncomingHttpHeaders, body: Buffer): Buffer => {
  const { content, trailers } = payloadOf(headers, body);
  const announced = String(headers['x-amz-trailer'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (announced.some((name) => !trailers.has(name))) {
    throw new AwsRefusal('MalformedTrailerError', 'A trailer that was announced is missing.');
  }

  const sent = [...Object.entries(headers), ...trailers];
  for (const [name, value] of sent) {
    if (!name.startsWith('x-amz-checksum-') || name === 'x-amz-checksum-algorithm') continue;
    const checksum = Object.hasOwn(CHECKSUMS, name) ? CHECKSUMS[name] : undefined;
    if (!checksum) throw new AwsRefusal('NotImplemented', `${name} is not implemented.`, 501);
    if (checksum(content) !== value) {
      throw new AwsRefusal(
        'BadDigest',
        `The ${name} you specified did not match what we received.`,
      );
    }
  }
  const md5 = headers['content-md5'];
  if (md5 !== undefined && md5 !== createHash('md5').update(content).digest('base64')) {
    throw new AwsRefusal('BadDigest', 'The Content-MD5 you specified did not match.');
  }
  const sha256 = String(headers['x-amz-content-sha256'] ?? '');
  if (/^[0-9a-f]{64}$/.test(sha256) && sha256 !== createHash('sha256').update(body).digest('hex')) {
    throw new AwsRefusal('XAmzContentSHA256Mismatch', 'The x-amz-content-sha256 does not match.');
  }
  return content;
};
