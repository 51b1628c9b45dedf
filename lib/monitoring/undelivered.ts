import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alarms } from './alarms.ts';
import { FIVE_MINUTES } from './metrics.ts';

/** CloudWatch Logs turns a denied filter off for up to ten minutes, then tries again. */
const BETWEEN_ERRORS = Duration.minutes(15);

export interface Undelivered {
  readonly metric: (name: 'DeliveryErrors' | 'DeliveryThrottling', period: Duration) => IMetric;
  readonly lost: string;
  readonly late: string;
  readonly runbook: string;
}

/**
 * Refused lines are dropped at once, throttled ones retried for a day. Source: CloudWatch Logs, "Log group-level
 * subscription filters".
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
