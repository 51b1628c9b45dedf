import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alarms } from './alarms.ts';
import { FIVE_MINUTES } from './metrics.ts';

/**
 * CloudWatch Logs disables a denied filter for up to ten minutes and tries again: an error in each quarter of an
 * hour.
 */
const BETWEEN_ERRORS = Duration.minutes(15);

export interface Undelivered {
  /** Metrics that CloudWatch Logs has of filters. */
  readonly metric: (name: 'DeliveryErrors' | 'DeliveryThrottling', period: Duration) => IMetric;
  /** Sentence for dropped lines. */
  readonly lost: string;
  /** Sentence for lines that are retried. */
  readonly late: string;
  readonly runbook: string;
}

/**
 * Alarms on log filters that cannot deliver. Refused lines are dropped at once, so the first error is an alarm;
 * throttled ones are retried for a day. Source: CloudWatch Logs, "Log group-level subscription filters".
 */
export const alarmsOfFilters = (
  alarms: Alarms,
  id: string,
  { metric, lost, late, runbook }: Undelivered,
): void => {
  // Essential: nothing else tells of dropped lines.
  const of = { isEssential: true, severity: 'notice', runbook, threshold: 1 } as const;
  alarms.whenHigh(`${id}Undelivered`, {
    ...of,
    what: lost,
    metric: metric('DeliveryErrors', BETWEEN_ERRORS),
  });
  alarms.whenHigh(`${id}Throttled`, {
    ...of,
    what: late,
    metric: metric('DeliveryThrottling', FIVE_MINUTES),
    periods: 3,
  });
};
