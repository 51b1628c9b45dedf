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
  /** Keeps what EventBridge could not hand over. */
  readonly undelivered: Queue;
}

/** Each with what takes it back. */
const CALLS = ['DisableKey', 'EnableKey', 'ScheduleKeyDeletion', 'CancelKeyDeletion'];

/**
 * Tells at once when somebody disables a key of the stage or has it deleted, and when that is taken back. KMS has no
 * metric of it. The call is known where the account has a trail of CloudTrail.
 *
 * Source: Amazon EventBridge User Guide, "AWS service events delivered via AWS CloudTrail".
 */
export class KeyEvents extends Construct {
  constructor(scope: Construct, id: string, { keys, alarms, undelivered }: KeyEventsProps) {
    super(scope, id);
    const field = (path: string) => EventField.fromPath(path);
    const what = `${field('$.detail.eventName')} was called for the key ${field('$.detail.requestParameters.keyId')} by ${field('$.detail.userIdentity.arn')}`;
    const topic = alarms.topics.page;
    // Without a condition: EventBridge tells SNS nothing that one could look at.
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
          // One that was refused has changed nothing.
          errorCode: [{ exists: false }],
          resources: { ARN: keys.map(({ keyArn }) => keyArn) },
        },
      },
      // The CDK's own target warns of a topic that is named, whose region it cannot compare with the stack's.
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
