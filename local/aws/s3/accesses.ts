import type { Wanted } from '../iam/access-control.ts';
import { kmsContext, viaService } from '../iam/key-use.ts';
import type { S3Target } from './route.ts';

/** Condition key of every request. Loopback counts as the TLS of AWS. */
export const TLS = { 's3:TlsVersion': '1.3' };

export const bucketArn = (bucket: string): string => `arn:aws:s3:::${bucket}`;

/**
 * Permissions that a request needs, including that for the bucket's key. With a bucket key, the encryption context
 * is the bucket, whichever object it is.
 * Source: Service Authorization Reference, "Amazon S3"; Amazon S3 User Guide, "Reducing the cost of SSE-KMS with
 * Amazon S3 Bucket Keys" and "Using server-side encryption with AWS KMS keys (SSE-KMS)".
 */
export const s3Accesses = (
  { operation, bucket, key }: S3Target,
  query: URLSearchParams,
  region: string,
): readonly Wanted[] => {
  const resource = `${bucketArn(bucket)}/${key}`;
  const encrypted = (action: 'kms:Decrypt' | 'kms:GenerateDataKey'): Wanted => ({
    action,
    keyOf: bucketArn(bucket),
    context: kmsContext({ 'aws:s3:arn': bucketArn(bucket) }, viaService('s3', region)),
  });
  switch (operation) {
    case 'GetObject':
      return [{ action: 's3:GetObject', resource, context: TLS }, encrypted('kms:Decrypt')];
    case 'PutObject':
      return [{ action: 's3:PutObject', resource, context: TLS }, encrypted('kms:GenerateDataKey')];
    case 'DeleteObject':
      return [{ action: 's3:DeleteObject', resource, context: TLS }];
    case 'ListObjectsV2': {
      const prefix = query.get('prefix');
      const context = { ...TLS, ...(prefix !== null && { 's3:prefix': prefix }) };
      return [{ action: 's3:ListBucket', resource: bucketArn(bucket), context }];
    }
  }
};
