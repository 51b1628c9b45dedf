import { Aws, DefaultStackSynthesizer, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import {
  AnyPrincipal,
  Effect,
  Policy,
  PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { allow, through } from '../permissions/statements.ts';
import { privateBucket } from './private-bucket.ts';

export interface StreamBucketProps {
  readonly encryptionKey: IKey;
  readonly keepDays: number;
  readonly removalPolicy: RemovalPolicy;
  /** Whether nobody may delete or overwrite files before their time. */
  readonly isKept: boolean;
  /** Firehose's log of lines that it could not store. No filter reads it: that would make a line again. */
  readonly errors: LogGroup;
}

/**
 * The bucket has no S3 Object Lock, which needs a checksum with each object: nothing says that Firehose sends one.
 * Source: docs/stream.md, "Who may change it".
 */
export class StreamBucket extends Construct {
  readonly bucket: Bucket;
  readonly errors: LogGroup;
  readonly writer: Role;

  constructor(
    scope: Construct,
    id: string,
    { encryptionKey, keepDays, removalPolicy, isKept, errors }: StreamBucketProps,
  ) {
    super(scope, id);
    this.errors = errors;
    this.bucket = new Bucket(this, 'Lines', {
      ...privateBucket(encryptionKey),
      // Versioning keeps overwritten files for a day.
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
    this.writer = this.writerOf(encryptionKey);
    if (isKept) this.keep();
    // The bucket policy stays with a retained bucket, to go on requiring TLS.
    this.bucket.policy?.applyRemovalPolicy(removalPolicy);
  }

  private writerOf(encryptionKey: IKey): Role {
    const role = new Role(this, 'Writer', {
      description: 'Hosted MCP: Firehose writes lines of calls and events into files',
      assumedBy: new ServicePrincipal('firehose.amazonaws.com', {
        conditions: { StringEquals: { 'sts:ExternalId': Aws.ACCOUNT_ID } },
      }),
    });
    new Policy(this, 'Grants', {
      roles: [role],
      statements: [
        allow(
          'FindTheBucket',
          [this.bucket.bucketArn],
          ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
        ),
        allow(
          'WriteFiles',
          [this.bucket.arnForObjects('*')],
          ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
        ),
        allow(
          'EncryptThem',
          [encryptionKey.keyArn],
          ['kms:Decrypt', 'kms:GenerateDataKey'],
          through(encryptionKey, ['s3']),
        ),
        allow('TellOfErrors', [this.errors.logGroupArn], ['logs:PutLogEvents']),
      ],
    });
    return role;
  }

  /** Denies deletion and overwriting. Lifecycle rules still expire files: no policy holds for them. */
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
    // Overwriting makes a former version, which ends after a day.
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        ...forEverybody,
        sid: 'FirehoseAloneWrites',
        actions: ['s3:PutObject', 's3:ReplicateDelete', 's3:ReplicateObject'],
        resources: [this.bucket.arnForObjects('*')],
        conditions: { ArnNotEquals: { 'aws:PrincipalArn': this.writer.roleArn } },
      }),
    );
    // Other synthesizers deploy with the person's own credentials: there is no role to name.
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

/** A synthesizer writes pseudo parameters in the form of `Fn::Sub`. */
const inTemplate = (arn: string): string =>
  arn
    .replaceAll('${AWS::Partition}', Aws.PARTITION)
    .replaceAll('${AWS::AccountId}', Aws.ACCOUNT_ID)
    .replaceAll('${AWS::Region}', Aws.REGION);
