import { Aws, DefaultStackSynthesizer, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';

export interface StreamBucketProps {
  readonly encryptionKey: IKey;
  readonly keepDays: number;
  readonly removalPolicy: RemovalPolicy;
  /** Whether nobody may delete what is in it before its time. */
  readonly isKept: boolean;
}

/**
 * Where lines of calls and events lie as files.
 *
 * A lock on its objects (S3 Object Lock) is left out: such a bucket takes no object without a checksum, and nothing says
 * that Firehose sends one.
 *
 * Source: docs/stream.md, "Who may change it".
 */
export class StreamBucket extends Construct {
  readonly bucket: Bucket;

  constructor(
    scope: Construct,
    id: string,
    { encryptionKey, keepDays, removalPolicy, isKept }: StreamBucketProps,
  ) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Lines', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      encryption: BucketEncryption.KMS,
      encryptionKey,
      bucketKeyEnabled: true,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      // What is written over is still there.
      versioned: true,
      lifecycleRules: [
        {
          expiration: Duration.days(keepDays),
          noncurrentVersionExpiration: Duration.days(1),
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        },
        { expiredObjectDeleteMarker: true },
      ],
      removalPolicy,
    });
    if (isKept) this.keep();
    // A bucket that stays goes on asking for TLS.
    this.bucket.policy?.applyRemovalPolicy(removalPolicy);
  }

  /** The rules of expiry delete all the same: a policy does not hold for them. */
  private keep(): void {
    const { synthesizer } = Stack.of(this);
    const forEverybody = { effect: Effect.DENY, principals: [new AnyPrincipal()] };
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        ...forEverybody,
        sid: 'NobodyDeletes',
        actions: ['s3:DeleteObject', 's3:DeleteObjectVersion'],
        resources: [this.bucket.arnForObjects('*')],
      }),
    );
    // Who deploys with credentials of their own has no role that could be named.
    if (!(synthesizer instanceof DefaultStackSynthesizer)) return;
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        ...forEverybody,
        sid: 'WhatKeepsThemIsDeployed',
        actions: [
          's3:DeleteBucketPolicy',
          's3:PutBucketPolicy',
          's3:PutBucketVersioning',
          's3:PutLifecycleConfiguration',
        ],
        resources: [this.bucket.bucketArn],
        conditions: {
          ArnNotLike: {
            'aws:PrincipalArn': inTemplate(synthesizer.cloudFormationExecutionRoleArn),
          },
        },
      }),
    );
  }
}

/** A synthesizer writes what is known at the deployment as `Fn::Sub` does. */
const inTemplate = (arn: string): string =>
  arn
    .replaceAll('${AWS::Partition}', Aws.PARTITION)
    .replaceAll('${AWS::AccountId}', Aws.ACCOUNT_ID)
    .replaceAll('${AWS::Region}', Aws.REGION);
