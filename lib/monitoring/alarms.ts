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

export interface AlarmSpec {
  /** What has happened when it goes off. */
  readonly what: string;
  /** The heading in docs/operations.md that says what to do. */
  readonly runbook: string;
  /** With statistic and period. */
  readonly metric: IMetric;
  /** It goes off at this number, and above. */
  readonly threshold: number;
  /** So many periods in a row; one if omitted. */
  readonly periods?: number;
}

/** Who hears when something waits for a person. */
export class Alarms extends Construct {
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, { topic }: AlarmsProps) {
    super(scope, id);
    this.topic = topic === undefined ? this.ownTopic() : Topic.fromTopicArn(this, 'Named', topic);
  }

  /** Goes off when a metric is too high. Nothing measured is nothing wrong. */
  whenHigh(id: string, spec: AlarmSpec): void {
    const { GREATER_THAN_OR_EQUAL_TO_THRESHOLD } = ComparisonOperator;
    this.alarm(id, spec, GREATER_THAN_OR_EQUAL_TO_THRESHOLD, TreatMissingData.NOT_BREACHING);
  }

  /**
   * Goes off when a metric is below its threshold, and tells when there is none any more. A stage that is
   * new has none yet, and tells of nothing: what an alarm begins with is no change of its state.
   */
  whenLow(id: string, spec: AlarmSpec): void {
    const { LESS_THAN_THRESHOLD } = ComparisonOperator;
    const alarm = this.alarm(id, spec, LESS_THAN_THRESHOLD, TreatMissingData.MISSING);
    alarm.addInsufficientDataAction(new SnsAction(this.topic));
  }

  /** Goes off while there is a message in a queue. */
  whileFilled(id: string, queue: Queue, what: string, runbook: string): void {
    const metric = queue.metricApproximateNumberOfMessagesVisible(OF_A_MINUTE);
    this.whenHigh(id, { what, runbook, threshold: 1, metric });
  }

  /** Goes off while a message of a queue is older than that. */
  whileLate(id: string, queue: Queue, age: Duration, what: string, runbook: string): void {
    const metric = queue.metricApproximateAgeOfOldestMessage(OF_A_MINUTE);
    this.whenHigh(id, { what, runbook, threshold: age.toSeconds(), metric });
  }

  private alarm(
    id: string,
    { what, runbook, metric, threshold, periods = 1 }: AlarmSpec,
    comparisonOperator: ComparisonOperator,
    treatMissingData: TreatMissingData,
  ): Alarm {
    const alarm = new Alarm(this, id, {
      alarmDescription: `Hosted MCP: ${what}. What to do: ${RUNBOOKS}, "${runbook}"`,
      metric,
      threshold,
      comparisonOperator,
      evaluationPeriods: periods,
      treatMissingData,
    });
    alarm.addAlarmAction(new SnsAction(this.topic));
    return alarm;
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

/** A heading for each kind of alarm, below the one that is called as they are. */
const RUNBOOKS = 'docs/operations.md';

const OF_A_MINUTE = { period: Duration.minutes(1), statistic: 'Maximum' };
