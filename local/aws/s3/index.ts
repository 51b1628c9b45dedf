import { join } from 'node:path';
import type { ExpiryManifest } from '../../../lambdas/manifest.ts';
import { openFolder } from '../disk.ts';
import { openSerial } from '../serial.ts';
import { AwsRefusal, type FrontRefusals } from '../wire/refusal.ts';
import type { AwsReply, AwsRequest, AwsService } from '../wire/service.ts';
import { xml } from '../wire/xml.ts';
import { type Bucket, openBucket } from './bucket.ts';
import { checkRead, checkWrite, keptHeaders, noSuchKey, replyHeaders } from './headers.ts';
import { verifiedContent } from './integrity.ts';
import { listPage } from './list.ts';
import { notImplemented, targetOf } from './route.ts';
import { sweepExpired } from './sweep.ts';

export interface EmbeddedS3 {
  readonly service: AwsService;
  /** Nothing new if it exists; `expires` holds from now on. */
  createBucket(name: string, expires?: readonly ExpiryManifest[]): Promise<void>;
  /** @param now - epoch seconds @returns how many objects were deleted */
  sweep(now: number): Promise<number>;
}

const REFUSALS: FrontRefusals = {
  unsigned: ['AccessDenied', 403],
  'unknown-caller': ['InvalidAccessKeyId', 403],
  'forbidden-origin': ['AccessDenied', 403],
  'too-large': ['EntityTooLarge', 400],
  incomplete: ['IncompleteBody', 400],
  denied: ['AccessDenied', 403],
  throttled: ['SlowDown', 503],
  failed: ['InternalError', 500],
};

/** S3, path style: objects with their metadata, conditional writes, lists. No versions, no multipart. */
export const openS3 = async (folder: string): Promise<EmbeddedS3> => {
  const buckets = new Map<string, Bucket>();
  const lifecycles = new Map<string, readonly ExpiryManifest[]>();
  for (const name of await openFolder(folder)) {
    buckets.set(name, await openBucket(join(folder, name)));
  }
  const serially = openSerial();
  const createBucket = (name: string) =>
    serially(name, async () => {
      if (buckets.has(name)) return false;
      buckets.set(name, await openBucket(join(folder, name)));
      return true;
    });

  return {
    createBucket: async (name, expires = []) => {
      await createBucket(name);
      lifecycles.set(name, expires);
    },
    sweep: async (now) => {
      let deleted = 0;
      for (const [name, expires] of lifecycles) {
        const bucket = buckets.get(name);
        if (bucket) deleted += await sweepExpired(bucket, expires, now);
      }
      return deleted;
    },
    service: {
      signingName: 's3',
      maxBodyBytes: 64 * 1024 * 1024,
      frontRefusals: REFUSALS,
      operationOf: (head) => targetOf(head).operation,
      refuse: ({ code, message, status }) => ({
        status,
        headers: { 'content-type': 'application/xml' },
        body: xml('Error', [
          ['Code', code],
          ['Message', message],
        ]),
      }),
      run: async (_, request) => {
        const { operation, bucket: name, key } = targetOf(request);
        if (operation === 'CreateBucket') {
          if (await createBucket(name)) return { status: 200, headers: { location: `/${name}` } };
          throw new AwsRefusal('BucketAlreadyOwnedByYou', 'You own this bucket already.', 409);
        }
        const bucket = buckets.get(name);
        if (!bucket) {
          throw new AwsRefusal('NoSuchBucket', 'The specified bucket does not exist', 404);
        }
        if (operation === 'HeadBucket') return { status: 200 };
        if (operation === 'ListObjectsV2') {
          return {
            status: 200,
            headers: { 'content-type': 'application/xml' },
            body: listPage(name, bucket, request.query),
          };
        }
        return objectOperations[operation](bucket, key, request);
      },
    },
  };
};

type ObjectOperation = (bucket: Bucket, key: string, request: AwsRequest) => Promise<AwsReply>;

const objectOperations: Readonly<
  Record<'PutObject' | 'GetObject' | 'HeadObject' | 'DeleteObject', ObjectOperation>
> = {
  PutObject: async (bucket, key, { headers, body }) => {
    const kept = keptHeaders(headers);
    const head = await bucket.put(key, verifiedContent(headers, body), kept, (current) =>
      checkWrite(headers, current),
    );
    return {
      status: 200,
      headers: {
        etag: head.etag,
        'x-amz-checksum-crc32': head.crc32,
        'x-amz-checksum-type': 'FULL_OBJECT',
      },
    };
  },
  GetObject: async (bucket, key, { headers }) => {
    if (headers.range !== undefined) throw notImplemented('A range');
    const found = await bucket.read(key);
    if (!found) throw noSuchKey();
    return (
      checkRead(headers, found.head) ?? {
        status: 200,
        headers: replyHeaders(found.head, headers),
        body: found.content,
      }
    );
  },
  HeadObject: async (bucket, key, { headers }) => {
    const head = bucket.head(key);
    if (!head) throw noSuchKey();
    return (
      checkRead(headers, head) ?? {
        status: 200,
        headers: { ...replyHeaders(head, headers), 'content-length': String(head.size) },
      }
    );
  },
  DeleteObject: async (bucket, key, { headers }) => {
    if (headers['if-match'] !== undefined) throw notImplemented('A conditional delete');
    await bucket.delete(key);
    return { status: 204 };
  },
};
