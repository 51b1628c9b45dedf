import { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { EventBus, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Alias, IFunction } from 'aws-cdk-lib/aws-lambda';
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type EventsManifest, functions } from '../../lambdas/manifest.ts';
import type { Alarms } from '../monitoring/alarms.ts';
import { retryEvents } from './retry-events.ts';

export interface MailsProps {
  readonly alias: Alias;
  readonly unsentMails: Queue;
  readonly configurationSet: ConfigurationSet;
  /** Keeps what EventBridge could not hand over. */
  readonly undelivered: Queue;
  readonly alarms: Alarms;
}

/**
 * How requests for mails are tried again, who hears of those that failed at last, and how the function hears of
 * mails that came back. There is no role and no topic: SES hands events to the account's own bus, and the alias
 * lets one rule, and no other, invoke it.
 */
export class Mails extends Construct {
  constructor(scope: Construct, id: string, props: MailsProps) {
    super(scope, id);
    const { alias, unsentMails, configurationSet: set, undelivered, alarms } = props;
    const { retries, maxAgeSeconds } = functions.mails.events as EventsManifest;
    retryEvents(this, { alias, retries, maxAgeSeconds, failed: unsentMails });
    alarms.whileFilled('UnsentMails', unsentMails, {
      what: 'mails could not be sent',
      runbook: 'Unsent mails',
    });
    set.addEventDestination('Feedback', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'Bus', 'default')),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    new Rule(this, 'Feedback', {
      description: 'Hosted MCP: mails that came back',
      eventPattern: {
        source: ['aws.ses'],
        detailType: ['Email Bounced', 'Email Complaint Received'],
        detail: { mail: { tags: { 'ses:configuration-set': [set.configurationSetName] } } },
      },
      targets: [
        new LambdaFunction(alias as IFunction, { retryAttempts: 2, deadLetterQueue: undelivered }),
      ],
    });
  }
}

/** What our mails are sent with, so that SES tells of bounces and complaints. */
export const configurationSet = (scope: Construct): ConfigurationSet =>
  new ConfigurationSet(scope, 'MailSet');

/** Requests for mails that failed at last: addresses are in them, so that our own key encrypts them. */
export const unsentMailsQueue = (scope: Construct, encryptionMasterKey: IKey): Queue =>
  new Queue(scope, 'UnsentMails', {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
