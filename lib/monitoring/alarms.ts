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

/** `page`: people are kept from their work, and somebody has to look now. `notice`: on the next working day. */
export type Severity = 'page' | 'notice';

export interface AlarmsProps {
  /** ARN of a topic of SNS for pages; without one there is one of the stack. */
  readonly topic: string | undefined;
  /** ARN of a topic of SNS for notices; without one they go where pages go. */
  readonly noticeTopic: string | undefined;
  /** Whether there are only those without which nobody would know that the service is down, or loses something. */
  readonly isFew?: boolean;
}

export interface AlarmSpec {
  readonly severity: Severity;
  /** What has happened when it goes off. */
  readonly what: string;
  /** The heading in docs/operations.md that says what to do. */
  readonly runbook: string;
  /** With statistic and period. */
  readonly metric: IMetric;
  readonly threshold: number;
  /** So many periods in a row; one if omitted. */
  readonly periods?: number;
  /** There with `"metrics": "few"`, too. */
  readonly isEssential?: boolean;
}

/** Who hears when something waits for a person, and when it is over. */
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

  /** Goes off at the threshold and above. Nothing measured is nothing wrong. */
  whenHigh(id: string, spec: AlarmSpec): void {
    const { GREATER_THAN_OR_EQUAL_TO_THRESHOLD } = ComparisonOperator;
    this.alarm(id, spec, GREATER_THAN_OR_EQUAL_TO_THRESHOLD, TreatMissingData.NOT_BREACHING);
  }

  /**
   * Goes off below the threshold, and where nothing is measured: it watches what has to happen again and again, and in
   * a new stage has not happened yet.
   */
  whenLow(id: string, spec: AlarmSpec): void {
    this.alarm(id, spec, ComparisonOperator.LESS_THAN_THRESHOLD, TreatMissingData.BREACHING);
  }

  /** Goes off while there is a message in a queue. */
  whileFilled(
    id: string,
    queue: Queue,
    spec: Pick<AlarmSpec, 'isEssential' | 'runbook' | 'what'>,
  ): void {
    const metric = queue.metricApproximateNumberOfMessagesVisible(OF_A_MINUTE);
    this.whenHigh(id, { severity: 'notice', threshold: 1, metric, ...spec });
  }

  /** Goes off while a message of a queue is older than that. */
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
    // Of a handful of values the slowest is the percentile: one of them alone would be an alarm.
    if (metric instanceof Metric && metric.statistic.startsWith('p')) {
      (alarm.node.defaultChild as CfnAlarm).evaluateLowSampleCountPercentile = 'ignore';
    }
  }

  /**
   * Lets a service of AWS publish to the topic of a severity, if it is one of the stack: whoever names a topic lets it in
   * there.
   *
   * @param sourceArn - of what it speaks for
   */
  let(severity: Severity, sid: string, service: string, sourceArn: string): void {
    const topic = this.topics[severity];
    // A topic with a policy of its own lets nobody publish who is not in it. That of others is not changed by this.
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

/** What a person reads first, in the middle of the night: how bad it is, what it is, and where it says what to do. */
export const describing = (severity: Severity | 'release', what: string, runbook: string): string =>
  `Hosted MCP, ${severity}: ${what}. What to do: ${RUNBOOKS}, "${runbook}"`;

/** A heading for each kind of alarm, below the one that is called as they are. */
const RUNBOOKS = 'docs/operations.md';

const OF_A_MINUTE = { period: Duration.minutes(1), statistic: 'Maximum' };
