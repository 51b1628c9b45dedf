import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { Policy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogStream } from 'aws-cdk-lib/aws-logs';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Alarms } from '../monitoring/alarms.ts';
import type { Logs } from '../monitoring/logs.ts';
import { awsMetric, FIVE_MINUTES } from '../monitoring/metrics.ts';
import { allow, through } from '../permissions/statements.ts';

export interface DeliveryProps {
  readonly bucket: Bucket;
  readonly encryptionKey: IKey;
  readonly logs: Logs;
  readonly alarms: Alarms;
}

/** What Firehose gathers before it writes a file. */
const BUFFER = { sizeInMBs: 64, intervalInSeconds: 300 } as const;

/** Of a line, when an alarm goes off: three times what Firehose gathers for. */
const LATE_SECONDS = 900;

/**
 * Puts lines into files, a folder for each day, without code of ours.
 *
 * Source: Amazon Data Firehose, "Deliver decompressed Amazon CloudWatch Logs to Amazon S3".
 */
export class Delivery extends Construct {
  readonly arn: string;

  constructor(
    scope: Construct,
    id: string,
    { bucket, encryptionKey, logs, alarms }: DeliveryProps,
  ) {
    super(scope, id);
    // No filter reads it: what Firehose says of a line would be a line again.
    const errors = logs.ofFunction('stream-errors', RemovalPolicy.DESTROY);
    const { logStreamName } = new LogStream(this, 'Errors', {
      logGroup: errors,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', {
      description: 'Hosted MCP: Firehose writes lines of calls and events into files',
      assumedBy: new ServicePrincipal('firehose.amazonaws.com', {
        conditions: { StringEquals: { 'sts:ExternalId': Aws.ACCOUNT_ID } },
      }),
    });
    const policy = new Policy(this, 'Grants', {
      roles: [role],
      statements: [
        allow(
          'FindTheBucket',
          [bucket.bucketArn],
          ['s3:GetBucketLocation', 's3:ListBucket', 's3:ListBucketMultipartUploads'],
        ),
        allow(
          'WriteFiles',
          [bucket.arnForObjects('*')],
          ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
        ),
        allow(
          'EncryptThem',
          [encryptionKey.keyArn],
          ['kms:Decrypt', 'kms:GenerateDataKey'],
          through(encryptionKey, ['s3']),
        ),
        allow('TellOfErrors', [errors.logGroupArn], ['logs:PutLogEvents']),
      ],
    });
    const stream = new CfnDeliveryStream(this, 'Stream', {
      deliveryStreamType: 'DirectPut',
      // The key of AWS: with ours, CloudWatch Logs would have to use it as well.
      deliveryStreamEncryptionConfigurationInput: { keyType: 'AWS_OWNED_CMK' },
      extendedS3DestinationConfiguration: {
        bucketArn: bucket.bucketArn,
        roleArn: role.roleArn,
        bufferingHints: BUFFER,
        compressionFormat: 'GZIP',
        prefix: 'v1/dt=!{timestamp:yyyy-MM-dd}/',
        errorOutputPrefix: 'errors/!{firehose:error-output-type}/dt=!{timestamp:yyyy-MM-dd}/',
        encryptionConfiguration: { kmsEncryptionConfig: { awskmsKeyArn: encryptionKey.keyArn } },
        cloudWatchLoggingOptions: {
          enabled: true,
          logGroupName: errors.logGroupName,
          logStreamName,
        },
        processingConfiguration: { enabled: true, processors: [...PROCESSORS] },
      },
    });
    stream.node.addDependency(policy);
    this.arn = stream.attrArn;
    alarms.whenHigh('StreamLate', {
      isEssential: true,
      severity: 'notice',
      what: 'lines of calls and events wait to be put into files',
      runbook: 'A late stream',
      metric: awsMetric(
        'AWS/Firehose',
        'DeliveryToS3.DataFreshness',
        { statistic: 'Maximum', period: FIVE_MINUTES },
        { DeliveryStreamName: stream.ref },
      ),
      threshold: LATE_SECONDS,
    });
  }
}

const processor = (type: string, parameterName: string, parameterValue: string) => ({
  type,
  parameters: [{ parameterName, parameterValue }],
});

/** From what CloudWatch Logs sends, packed and with many lines in each record, to lines. */
const PROCESSORS = [
  processor('Decompression', 'CompressionFormat', 'GZIP'),
  processor('CloudWatchLogProcessing', 'DataMessageExtraction', 'true'),
  // An empty line more is nothing to a reader; two lines in one would be lost.
  { type: 'AppendDelimiterToRecord' },
] as const;
