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
  /** Events that EventBridge could not deliver. */
  readonly undelivered: Queue;
  readonly alarms: Alarms;
}

/** Neither role nor topic is needed: SES publishes to the default bus, and the alias lets one rule invoke it. */
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

export const configurationSet = (scope: Construct): ConfigurationSet =>
  new ConfigurationSet(scope, 'MailSet');

/** Mail requests that failed at last; encrypted with our own key, since they contain addresses. */
export const unsentMailsQueue = (scope: Construct, encryptionMasterKey: IKey): Queue =>
  new Queue(scope, 'UnsentMails', {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  });
