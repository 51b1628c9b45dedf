import { Duration } from 'aws-cdk-lib';
import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alarms } from './alarms.ts';
import { FIVE_MINUTES } from './metrics.ts';

/** CloudWatch Logs turns a denied filter off for up to ten minutes, then tries again. */
const BETWEEN_ERRORS = Duration.minutes(15);

export interface Undelivered {
  readonly filters: { readonly FilterName: string; readonly LogGroupName?: string };
  readonly lost: string;
  readonly late: string;
  readonly runbook: string;
}

/**
 * Refused log lines are dropped at once, throttled ones retried for a day. Source: CloudWatch Logs, "Log group-level
 * subscription filters".
 */
export const alarmsOfFilters = (
  alarms: Alarms,
  id: string,
  { filters, lost, late, runbook }: Undelivered,
): void => {
  // Essential: nothing else tells of dropped lines.
  const of = { isEssential: true, severity: 'notice', runbook, threshold: 1 } as const;
  alarms.whenHigh(`${id}Undelivered`, {
    ...of,
    what: lost,
    metric: countOf('DeliveryErrors', filters, BETWEEN_ERRORS),
  });
  alarms.whenHigh(`${id}Throttled`, {
    ...of,
    what: late,
    metric: countOf('DeliveryThrottling', filters, FIVE_MINUTES),
    periods: 3,
  });
};

/**
 * AWS documents no values of DestinationType, so the query leaves it open. Source: Amazon CloudWatch, "Metrics Insights
 * query components and syntax".
 */
const countOf = (
  metricName: 'DeliveryErrors' | 'DeliveryThrottling',
  filters: Undelivered['filters'],
  period: Duration,
): MathExpression => {
  const conditions = Object.entries(filters).map(([name, value]) => `${name} = '${value}'`);
  return new MathExpression({
    expression: `SELECT SUM(${metricName}) FROM SCHEMA("AWS/Logs", DestinationType, FilterName, LogGroupName) WHERE ${conditions.join(' AND ')}`,
    usingMetrics: {},
    period,
    label: metricName,
  });
};
