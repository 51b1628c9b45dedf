import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { BucketManifest } from '../../../lambdas/storage-manifest.ts';
import { openFolder } from '../disk.ts';
import { AwsError, type EndpointErrorCodes } from '../wire/aws-error.ts';
import type { AwsReply, AwsRequest, AwsService } from '../wire/service.ts';
import { bucketArn, s3Accesses, TLS } from './accesses.ts';
import { xml } from '../wire/xml.ts';
import { type Bucket, openBucket } from './bucket.ts';
import { listPage } from './list-page.ts';
import { type S3Target, targetOf } from './route.ts';

export interface EmbeddedS3 {
  readonly service: AwsService;
  /** Creates those that do not exist yet, under `prefix` and their name. The expiry of objects holds from now on. */
  createBuckets(
    manifest: Readonly<Record<string, Pick<BucketManifest, 'expiresAfterDays'>>>,
    prefix: string,
  ): Promise<void>;
  /** @param now - epoch seconds @returns how many objects were deleted */
  sweep(now: number): Promise<number>;
}

const DAY = 24 * 60 * 60;

const ERRORS: EndpointErrorCodes = {
  unsigned: ['AccessDenied', 403],
  'unknown-caller': ['InvalidAccessKeyId', 403],
  'forbidden-origin': ['AccessDenied', 403],
  'too-large': ['EntityTooLarge', 400],
  denied: ['AccessDenied', 403],
  throttled: ['SlowDown', 503],
  failed: ['InternalError', 500],
};

/** S3, path style: objects with their metadata, and lists of them. */
export const openS3 = async (folder: string, region: string): Promise<EmbeddedS3> => {
  await openFolder(folder);
  const buckets = new Map<string, Bucket>();
  const lifecycles = new Map<string, number | undefined>();

  return {
    createBuckets: async (manifest, prefix) => {
      for (const [last, { expiresAfterDays }] of Object.entries(manifest)) {
        const name = `${prefix}${last}`;
        if (!buckets.has(name)) buckets.set(name, await openBucket(join(folder, name)));
        lifecycles.set(name, expiresAfterDays);
      }
    },
    sweep: async (now) => {
      let deleted = 0;
      for (const [name, bucket] of buckets) {
        const until = (now - (lifecycles.get(name) ?? Infinity) * DAY) * 1000;
        const expired = bucket.list().filter(({ modifiedAt }) => modifiedAt <= until);
        for (const { key } of expired) await bucket.delete(key);
        deleted += expired.length;
      }
      return deleted;
    },
    service: {
      signingName: 's3',
      maxBodyBytes: 64 * 1024 * 1024,
      endpointErrors: ERRORS,
      operationOf: (head) => {
        const target = targetOf(head);
        return {
          name: target.operation,
          accesses: () => s3Accesses(target, head.query, region),
          run: async (request, permits) => {
            // A caller who may not list a bucket is not told which keys are missing in it.
            const mayList = () => permits({ action: 's3:ListBucket', ...onBucket(target) });
            return answer(buckets.get(target.bucket), target, request, mayList);
          },
        };
      },
      errorReply: ({ code, message, status }) => ({
        status,
        headers: { 'content-type': 'application/xml' },
        body: xml('Error', [
          ['Code', code],
          ['Message', message],
        ]),
      }),
    },
  };
};

const onBucket = ({ bucket }: S3Target) => ({ resource: bucketArn(bucket), context: TLS });

const answer = async (
  bucket: Bucket | undefined,
  { operation, bucket: name, key }: S3Target,
  { query, headers, body }: AwsRequest,
  mayList: () => boolean,
): Promise<AwsReply> => {
  if (!bucket) throw new AwsError('NoSuchBucket', 'The specified bucket does not exist', 404);
  switch (operation) {
    case 'ListObjectsV2':
      return {
        status: 200,
        headers: { 'content-type': 'application/xml' },
        body: listPage(name, bucket, query),
      };
    case 'PutObject': {
      const { etag } = await bucket.put(key, body, returned(headers));
      return { status: 200, headers: { etag } };
    }
    case 'GetObject': {
      const found = await bucket.read(key);
      if (!found && !mayList()) throw new AwsError('AccessDenied', 'Access Denied', 403);
      if (!found) throw new AwsError('NoSuchKey', 'The specified key does not exist.', 404);
      const { etag, modifiedAt, headers: own } = found.head;
      return {
        status: 200,
        headers: { ...own, etag, 'last-modified': new Date(modifiedAt).toUTCString() },
        body: found.content,
      };
    }
    case 'DeleteObject':
      await bucket.delete(key);
      return { status: 204 };
  }
};

const returned = (headers: IncomingHttpHeaders): Readonly<Record<string, string>> => {
  const metadata = Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-'));
  // The limit counts names without `x-amz-meta-`.
  if (Buffer.byteLength(metadata.flat().join('')) > 2048 + metadata.length * 11) {
    throw new AwsError('MetadataTooLarge', 'Your metadata headers exceed the maximum allowed.');
  }
  const type = headers['content-type'] ?? 'binary/octet-stream';
  return { 'content-type': type, ...(Object.fromEntries(metadata) as Record<string, string>) };
};
