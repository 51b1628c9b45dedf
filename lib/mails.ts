import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type Alias, CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type EventsManifest, functions } from '../lambdas/manifest.ts';

export interface MailsProps {
  readonly alias: Alias;
  readonly unsentMails: Queue;
  /** ARN of a topic of SNS that hears of the alarm. */
  readonly alarmTopic: string | undefined;
}

/** How requests for mails are tried again, and who hears of those that failed at last. */
export class Mails extends Construct {
  constructor(scope: Construct, id: string, { alias, unsentMails, alarmTopic }: MailsProps) {
    super(scope, id);
    const { retries, maxAgeSeconds } = functions.mails.events as EventsManifest;
    new CfnEventInvokeConfig(this, 'Retries', {
      functionName: alias.lambda.functionName,
      qualifier: alias.aliasName,
      maximumRetryAttempts: retries,
      maximumEventAgeInSeconds: maxAgeSeconds,
      destinationConfig: { onFailure: { destination: unsentMails.queueArn } },
    });
    const alarm = new Alarm(this, 'Unsent', {
      alarmDescription: 'Hosted MCP: mails could not be sent',
      metric: unsentMails.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    if (alarmTopic === undefined) return;
    alarm.addAlarmAction(new SnsAction(Topic.fromTopicArn(this, 'Topic', alarmTopic)));
  }
}

/** Requests for mails that failed at last: addresses are in them, so that our own key encrypts them. */
export const unsentMailsQueue = (scope: Construct, encryptionMasterKey: IKey): Queue =>
  new Queue(scope, 'UnsentMails', {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
