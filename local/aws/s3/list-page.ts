import { AwsError } from '../wire/aws-error.ts';
import { xml } from '../wire/xml.ts';
import { type Bucket, byBytes } from './bucket.ts';

const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

export const listPage = (name: string, bucket: Bucket, query: URLSearchParams): string => {
  const prefix = query.get('prefix') ?? '';
  const token = query.get('continuation-token') ?? undefined;
  const maxKeys = Number(query.get('max-keys') ?? 1000);
  if (!Number.isInteger(maxKeys) || maxKeys < 0 || token === '') {
    throw new AwsError('InvalidArgument', 'max-keys or the continuation token is not valid.');
  }
  // S3 ignores `start-after` in a list that is continued.
  const startAfter = query.get('start-after') ?? undefined;
  const after = token ? Buffer.from(token, 'base64url').toString() : startAfter;
  const rest = bucket
    .list()
    .filter(({ key }) => key.startsWith(prefix) && (!after || byBytes(key, after) > 0));
  const page = rest.slice(0, Math.min(maxKeys, 1000));
  const last = rest.length > page.length ? page.at(-1)?.key : undefined;

  return xml(
    'ListBucketResult',
    [
      ['Name', name],
      ['Prefix', prefix],
      ['MaxKeys', maxKeys],
      ['KeyCount', page.length],
      ['IsTruncated', last !== undefined],
      ['ContinuationToken', token],
      ['StartAfter', startAfter],
      ['NextContinuationToken', last && Buffer.from(last).toString('base64url')],
      ...page.map(
        ({ key, modifiedAt, etag, size }) =>
          [
            'Contents',
            [
              ['Key', key],
              ['LastModified', new Date(modifiedAt).toISOString()],
              ['ETag', etag],
              ['Size', size],
              ['StorageClass', 'STANDARD'],
            ],
          ] as const,
      ),
    ],
    NAMESPACE,
  );
};
