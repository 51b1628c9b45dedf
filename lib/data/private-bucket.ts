import {
  BlockPublicAccess,
  BucketEncryption,
  type BucketProps,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { IKey } from 'aws-cdk-lib/aws-kms';

/** Properties of every bucket: no public access, our key, and TLS 1.2 or newer. */
export const privateBucket = (encryptionKey: IKey) =>
  ({
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.KMS,
    encryptionKey,
    bucketKeyEnabled: true,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
  }) satisfies BucketProps;
