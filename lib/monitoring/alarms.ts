import { ArnFormat, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type CfnAlarm,
  ComparisonOperator,
  type IMetric,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';

/** `page`: people cannot work, somebody must look now. `notice`: on the next working day. */
export type Severity = 'page' | 'notice';

export interface AlarmsProps {
  /** ARN of an SNS topic for pages; the stack makes one if undefined. */
  readonly topic: string | undefined;
  /** ARN of an SNS topic for notices; they go where pages go if undefined. */
  readonly noticeTopic: string | undefined;
  /** Only essential alarms, without which nobody would know that the service is down, or loses something. */
  readonly isFew?: boolean;
}

export interface AlarmSpec {
  readonly severity: Severity;
  readonly what: string;
  /** Heading in docs/operations.md that says what to do. */
  readonly runbook: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** Number of periods; one if omitted. */
  readonly periods?: number;
  /** Such an alarm is also made with `"metrics": "few"`. */
  readonly isEssential?: boolean;
}

export class Alarms extends Construct {
  readonly topics: Readonly<Record<Severity, ITopic>>;
  readonly #isFew: boolean;

  constructor(scope: Construct, id: string, { topic, noticeTopic, isFew = false }: AlarmsProps) {
    super(scope, id);
    this.#isFew = isFew;
    const page = topic === undefined ? this.ownTopic() : Topic.fromTopicArn(this, 'Named', topic);
    const notice =
      noticeTopic === undefined ? page : Topic.fromTopicArn(this, 'NamedForNotices', noticeTopic);
    this.topics = { page, notice };
    this.let(
      'page',
      'AlarmsOfThisAccount',
      'cloudwatch.amazonaws.com',
      Stack.of(this).formatArn({
        service: 'cloudwatch',
        resource: 'alarm',
        resourceName: '*',
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
    );
  }

  /** Goes off at the threshold and above; missing data is good. */
  whenHigh(id: string, spec: AlarmSpec): void {
    const { GREATER_THAN_OR_EQUAL_TO_THRESHOLD } = ComparisonOperator;
    this.alarm(id, spec, GREATER_THAN_OR_EQUAL_TO_THRESHOLD, TreatMissingData.NOT_BREACHING);
  }

  /** Missing data counts as low, since such an alarm watches what must happen periodically. */
  whenLow(id: string, spec: AlarmSpec): void {
    this.alarm(id, spec, ComparisonOperator.LESS_THAN_THRESHOLD, TreatMissingData.BREACHING);
  }

  whileFilled(
    id: string,
    queue: Queue,
    spec: Pick<AlarmSpec, 'isEssential' | 'runbook' | 'what'>,
  ): void {
    const metric = queue.metricApproximateNumberOfMessagesVisible(OF_A_MINUTE);
    this.whenHigh(id, { severity: 'notice', threshold: 1, metric, ...spec });
  }

  /** Goes off while a queue's oldest message is older than `age`. */
  whileLate(id: string, queue: Queue, age: Duration, what: string, runbook: string): void {
    const metric = queue.metricApproximateAgeOfOldestMessage(OF_A_MINUTE);
    const threshold = age.toSeconds();
    this.whenHigh(id, { severity: 'notice', what, runbook, threshold, metric });
  }

  private alarm(
    id: string,
    { severity, what, runbook, metric, threshold, periods = 1, isEssential = false }: AlarmSpec,
    comparisonOperator: ComparisonOperator,
    treatMissingData: TreatMissingData,
  ): void {
    if (this.#isFew && !isEssential) return;
    const alarm = new Alarm(this, id, {
      alarmDescription: describing(severity, what, runbook),
      metric,
      threshold,
      comparisonOperator,
      evaluationPeriods: periods,
      treatMissingData,
    });
    const tell = new SnsAction(this.topics[severity]);
    alarm.addAlarmAction(tell);
    alarm.addOkAction(tell);
    // A percentile of few values is the slowest one, which alone should be no alarm.
    if (metric instanceof Metric && metric.statistic.startsWith('p')) {
      (alarm.node.defaultChild as CfnAlarm).evaluateLowSampleCountPercentile = 'ignore';
    }
  }

  /** Lets an AWS service publish to a topic of this stack. @param sourceArn - for which it publishes */
  let(severity: Severity, sid: string, service: string, sourceArn: string): void {
    const topic = this.topics[severity];
    // A topic with a policy lets only those publish that are in it. For a topic of others this does nothing.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid,
        effect: Effect.ALLOW,
        principals: [new ServicePrincipal(service)],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { ArnLike: { 'aws:SourceArn': sourceArn } },
      }),
    );
  }

  private ownTopic(): Topic {
    return new Topic(this, 'Topic', { displayName: 'Hosted MCP', enforceSSL: true });
  }
}

export const describing = (severity: Severity | 'release', what: string, runbook: string): string =>
  `Hosted MCP, ${severity}: ${what}. What to do: ${RUNBOOKS}, "${runbook}"`;

const RUNBOOKS = 'docs/operations.md';

const OF_A_MINUTE = { period: Duration.minutes(1), statistic: 'Maximum' };
