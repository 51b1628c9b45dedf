import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type Alias, CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type EventsManifest, functions } from '../lambdas/manifest.ts';
import type { Alarms } from './alarms.ts';

export interface MailsProps {
  readonly alias: Alias;
  readonly unsentMails: Queue;
  readonly alarms: Alarms;
}

/** How requests for mails are tried again, and who hears of those that failed at last. */
export class Mails extends Construct {
  constructor(scope: Construct, id: string, { alias, unsentMails, alarms }: MailsProps) {
    super(scope, id);
    const { retries, maxAgeSeconds } = functions.mails.events as EventsManifest;
    new CfnEventInvokeConfig(this, 'Retries', {
      functionName: alias.lambda.functionName,
      qualifier: alias.aliasName,
      maximumRetryAttempts: retries,
      maximumEventAgeInSeconds: maxAgeSeconds,
      destinationConfig: { onFailure: { destination: unsentMails.queueArn } },
    });
    alarms.whileFilled('UnsentMails', unsentMails, 'mails could not be sent');
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
