import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

export interface AlarmsProps {
  /** ARN of a topic of SNS that hears of alarms; without one there is one of the stack. */
  readonly topic: string | undefined;
}

/** Who hears when something waits for a person. */
export class Alarms extends Construct {
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, { topic }: AlarmsProps) {
    super(scope, id);
    this.topic = topic === undefined ? this.ownTopic() : Topic.fromTopicArn(this, 'Named', topic);
  }

  /** Goes off while there is a message in a queue. */
  whileFilled(id: string, queue: Queue, description: string): void {
    this.alarm(id, description, 1, queue.metricApproximateNumberOfMessagesVisible(OF_A_MINUTE));
  }

  /** Goes off while a message of a queue is older than that. */
  whileLate(id: string, queue: Queue, age: Duration, description: string): void {
    const oldest = queue.metricApproximateAgeOfOldestMessage(OF_A_MINUTE);
    this.alarm(id, description, age.toSeconds(), oldest);
  }

  private alarm(id: string, description: string, threshold: number, metric: IMetric): void {
    const alarm = new Alarm(this, id, {
      alarmDescription: `Hosted MCP: ${description}`,
      metric,
      threshold,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
  }

  private ownTopic(): Topic {
    const topic = new Topic(this, 'Topic', { displayName: 'Hosted MCP', enforceSSL: true });
    // A topic with a policy of its own lets nobody publish who is not in it.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        effect: Effect.ALLOW,
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: {
          ArnLike: {
            'aws:SourceArn': Stack.of(this).formatArn({
              service: 'cloudwatch',
              resource: 'alarm',
              resourceName: '*',
              arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            }),
          },
        },
      }),
    );
    return topic;
  }
}

const OF_A_MINUTE = { period: Duration.minutes(1), statistic: 'Maximum' };
