import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alarms } from './alarms.ts';
import { FIVE_MINUTES } from './metrics.ts';

/** A filter that was denied is off for ten minutes at most, and is tried then: an error in each quarter of an hour. */
const BETWEEN_ERRORS = Duration.minutes(15);

export interface Undelivered {
  /** Of what CloudWatch Logs counts of filters. */
  readonly metric: (name: 'DeliveryErrors' | 'DeliveryThrottling', period: Duration) => IMetric;
  /** What has happened when lines are dropped. */
  readonly lost: string;
  /** What has happened when they are tried again. */
  readonly late: string;
  readonly runbook: string;
}

/**
 * Alarms on filters whose lines do not arrive. Lines that the other side refuses are dropped at once, so that the first
 * error tells; those that it is too busy for are tried again for a day.
 *
 * Source: CloudWatch Logs, "Log group-level subscription filters".
 */
export const alarmsOfFilters = (
  alarms: Alarms,
  id: string,
  { metric, lost, late, runbook }: Undelivered,
): void => {
  // Nothing else tells of lines that are dropped.
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
