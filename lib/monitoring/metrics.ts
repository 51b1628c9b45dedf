import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../../layers/core/domain/metrics/metrics.ts';
import type { Stage } from '../stage/stage.ts';
import type { LogMetricName } from './log-metrics.ts';
import { metricsNamespace } from './namespace.ts';

export type Statistic = 'Sum' | 'Maximum' | 'Average' | 'SampleCount' | 'p50' | 'p95' | 'p99';

export interface Read {
  readonly statistic: Statistic;
  readonly period: Duration;
  readonly label?: string;
}

/** A metric of ours. */
export const ownMetric = (
  stage: Pick<Stage, 'name'>,
  metricName: MetricName | LogMetricName,
  read: Read,
  dimensionsMap: Record<string, string> = {},
): Metric => new Metric({ namespace: metricsNamespace(stage), metricName, dimensionsMap, ...read });

/** A metric that AWS makes of its own, at no charge. */
export const awsMetric = (
  namespace: 'AWS/Lambda' | 'AWS/DynamoDB' | 'AWS/Logs' | 'AWS/SES' | 'AWS/ApiGateway',
  metricName: string,
  read: Read,
  dimensionsMap: Record<string, string> = {},
): Metric => new Metric({ namespace, metricName, dimensionsMap, ...read });

/** Two counts as one; a count that is not there is 0, or there would be no sum. */
export const sumOf = (
  first: IMetric,
  second: IMetric,
  period: Duration,
  label: string,
): IMetric => {
  const [one, other] = [idOf(label, 'one'), idOf(label, 'other')] as const;
  return new MathExpression({
    expression: `FILL(${one}, 0) + FILL(${other}, 0)`,
    usingMetrics: { [one]: first, [other]: second },
    period,
    label,
  });
};

/** Ids of metrics are one for all lines of a graph, and begin with a small letter. */
export const idOf = (label: string, part: string): string =>
  `${label.toLowerCase().replace(/[^a-z0-9]/g, '')}_${part}`;

export const FIVE_MINUTES = Duration.minutes(5);
export const HOUR = Duration.hours(1);
export const DAY = Duration.days(1);
