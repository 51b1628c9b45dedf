import { RemovalPolicy } from 'aws-cdk-lib';
import { CfnDeliveryStream } from 'aws-cdk-lib/aws-kinesisfirehose';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { LogStream } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { StreamBucket } from '../data/stream-bucket.ts';
import type { Alarms } from '../monitoring/alarms.ts';
import { awsMetric, FIVE_MINUTES } from '../monitoring/metrics.ts';

export interface DeliveryProps {
  readonly files: StreamBucket;
  readonly encryptionKey: IKey;
  readonly alarms: Alarms;
}

/** Firehose writes a file at this size or after this time. */
const BUFFER = { sizeInMBs: 64, intervalInSeconds: 300 } as const;

/** Age of a line that raises the alarm: three times the buffer's interval. */
const LATE_SECONDS = 900;

/** Source: Amazon Data Firehose, "Deliver decompressed Amazon CloudWatch Logs to Amazon S3". */
export class Delivery extends Construct {
  readonly arn: string;

  constructor(
    scope: Construct,
    id: string,
    { files: { bucket, errors, writer }, encryptionKey, alarms }: DeliveryProps,
  ) {
    super(scope, id);
    const { logStreamName } = new LogStream(this, 'Errors', {
      logGroup: errors,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const stream = new CfnDeliveryStream(this, 'Stream', {
      deliveryStreamType: 'DirectPut',
      // The key is AWS's: ours would have to let CloudWatch Logs in as well.
      deliveryStreamEncryptionConfigurationInput: { keyType: 'AWS_OWNED_CMK' },
      extendedS3DestinationConfiguration: {
        bucketArn: bucket.bucketArn,
        roleArn: writer.roleArn,
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
    alarms.whenHigh('StreamErrors', {
      // Essential: lines that Firehose cannot unpack are put aside, so the alarm on late files stays silent.
      isEssential: true,
      severity: 'notice',
      what: 'Firehose could not unpack or write lines of calls and events',
      runbook: 'A late stream',
      metric: awsMetric(
        'AWS/Logs',
        'IncomingLogEvents',
        { statistic: 'Sum', period: FIVE_MINUTES },
        { LogGroupName: errors.logGroupName },
      ),
      threshold: 1,
    });
  }
}

const processor = (type: string, parameterName: string, parameterValue: string) => ({
  type,
  parameters: [{ parameterName, parameterValue }],
});

/** Processors unpack the compressed batches of CloudWatch Logs into lines. */
const PROCESSORS = [
  processor('Decompression', 'CompressionFormat', 'GZIP'),
  processor('CloudWatchLogProcessing', 'DataMessageExtraction', 'true'),
  // A possible empty line is harmless; two joined lines would be lost.
  { type: 'AppendDelimiterToRecord' },
] as const;
