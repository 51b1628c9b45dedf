import { EventField, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { addToDeadLetterQueueResourcePolicy } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Alarms, describing } from './alarms.ts';

export interface KeyEventsProps {
  readonly keys: readonly IKey[];
  readonly alarms: Alarms;
  /** Events that EventBridge could not deliver. */
  readonly undelivered: Queue;
}

/** Calls that make keys unusable, and those that undo them. */
const CALLS = ['DisableKey', 'EnableKey', 'ScheduleKeyDeletion', 'CancelKeyDeletion'];

/**
 * KMS has no metric for disabled keys; these events need a CloudTrail trail. Source: Amazon EventBridge User Guide,
 * "AWS service events delivered via AWS CloudTrail".
 */
export class KeyEvents extends Construct {
  constructor(scope: Construct, id: string, { keys, alarms, undelivered }: KeyEventsProps) {
    super(scope, id);
    const field = (path: string) => EventField.fromPath(path);
    const what = `${field('$.detail.eventName')} was called for the key ${field('$.detail.requestParameters.keyId')} by ${field('$.detail.userIdentity.arn')}`;
    const topic = alarms.topics.page;
    // The statement has no condition: EventBridge sends SNS nothing that one could check.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'CallsForKeys',
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
      }),
    );
    const message = RuleTargetInput.fromText(describing('page', what, 'A key that cannot be used'));
    const rule = new Rule(this, 'Calls', {
      description: 'Hosted MCP: a key is disabled or deleted, or is not any more',
      eventPattern: {
        source: ['aws.kms'],
        detailType: ['AWS API Call via CloudTrail'],
        detail: {
          eventName: CALLS,
          // Failed calls have changed nothing.
          errorCode: [{ exists: false }],
          resources: { ARN: keys.map(({ keyArn }) => keyArn) },
        },
      },
      // CDK's own target warns for an imported topic, whose region it cannot compare with the stack's.
      targets: [
        {
          bind: () => ({
            arn: topic.topicArn,
            input: message,
            deadLetterConfig: { arn: undelivered.queueArn },
          }),
        },
      ],
    });
    addToDeadLetterQueueResourcePolicy(rule, undelivered);
  }
}
