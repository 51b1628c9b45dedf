import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '../../layers/platform/rules/metrics/metrics.ts';
import type { Stage } from '../stage/stage.ts';
import type { LogMetricName } from './log-metrics.ts';
import { metricsNamespace } from './namespace.ts';

export type Statistic = 'Sum' | 'Maximum' | 'Average' | 'SampleCount' | 'p50' | 'p95' | 'p99';

export interface Read {
  readonly statistic: Statistic;
  readonly period: Duration;
  readonly label?: string;
}

export const ownMetric = (
  stage: Pick<Stage, 'name'>,
  metricName: MetricName | LogMetricName,
  read: Read,
  dimensionsMap: Record<string, string> = {},
): Metric => new Metric({ namespace: metricsNamespace(stage), metricName, dimensionsMap, ...read });

export const awsMetric = (
  namespace: `AWS/${'ApiGateway' | 'Backup' | 'CloudFront' | 'DynamoDB' | 'Firehose' | 'Lambda' | 'Logs' | 'SES' | 'WAFV2'}`,
  metricName: string,
  read: Read,
  dimensionsMap: Record<string, string> = {},
): Metric => new Metric({ namespace, metricName, dimensionsMap, ...read });

/** Sum of counts; missing ones are 0, or there would be no sum. */
export const sumOf = (parts: readonly IMetric[], period: Duration, label: string): IMetric => {
  const named = idsOf(label, parts);
  return new MathExpression({
    expression: sumText(named, parts),
    usingMetrics: Object.fromEntries([...named].map(([metric, id]) => [id, metric])),
    period,
    label,
  });
};

/** A count, or 0 where another count is too high; missing where the count is missing. */
export const countUnless = (
  all: IMetric,
  { other: part, atLeast }: { readonly other: IMetric; readonly atLeast: number },
  period: Duration,
  label: string,
): IMetric => {
  const [one, other] = [idOf(label, 'm1'), idOf(label, 'm2')];
  return new MathExpression({
    expression: `IF(FILL(${other}, 0) >= ${atLeast}, 0, ${one})`,
    usingMetrics: { [one]: all, [other]: part },
    period,
    label,
  });
};

/**
 * Percentage of some counts among all, those included.
 * @param atLeast - with fewer in five minutes the share is 0: one of three requests would be a third
 */
export const shareOf = (
  of: readonly IMetric[],
  among: readonly IMetric[],
  atLeast: number,
): IMetric => {
  const label = 'Percent';
  const named = idsOf(label, [...of, ...among]);
  const [part, all] = [sumText(named, of), sumText(named, among)];
  return new MathExpression({
    expression: `IF(${part} >= ${atLeast}, 100 * (${part}) / (${all}), 0)`,
    usingMetrics: Object.fromEntries([...named].map(([metric, id]) => [id, metric])),
    period: FIVE_MINUTES,
    label,
  });
};

const idsOf = (label: string, metrics: readonly IMetric[]): ReadonlyMap<IMetric, string> =>
  new Map([...new Set(metrics)].map((metric, at) => [metric, idOf(label, `m${at + 1}`)]));

const sumText = (ids: ReadonlyMap<IMetric, string>, metrics: readonly IMetric[]): string =>
  metrics.map((metric) => `FILL(${ids.get(metric)}, 0)`).join(' + ');

/** Metric id, unique in a graph; it must begin with a small letter. */
export const idOf = (label: string, part: string): string =>
  `${label.toLowerCase().replace(/[^a-z0-9]/g, '')}_${part}`;

export const FIVE_MINUTES = Duration.minutes(5);
export const HOUR = Duration.hours(1);
export const DAY = Duration.days(1);
