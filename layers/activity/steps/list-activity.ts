import { type ActivityPage, activityPage } from '../rules/page.ts';
import { AFTER_ALL } from '../rules/queries.ts';
import { type ActivityType, type EventType, firstMoment } from '../../events/rules/call-record.ts';
import { type EpochSeconds, timeOf } from '../../platform/rules/time.ts';
import type { ActivityPorts } from '../ports.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import { type Owned, ownedDeployment } from '../../deployments/steps/owned-deployment.ts';

type ListActivityPorts = Pick<
  ActivityPorts,
  'activity' | 'calls' | 'clock' | 'deploymentEditor'
> & { readonly settings: LimitsSettings };

export interface WantedActivity {
  readonly type: ActivityType | undefined;
  /** First moment to show; bounded by the retention of logs. */
  readonly since: EpochSeconds | undefined;
  readonly after: string | undefined;
  /** Limits events; tools come by whole days. */
  readonly limit: number;
}

/** Tools per page, except for its first day, which is never split. */
const MAX_TOOLS = 1000;
const AFTER_ALL_DAYS = '9999-12-31';

/**
 * Events of a deployment, and its tools' calls day by day, the newest first. Eventually consistent; calls of the last
 * seconds may be missing.
 * @throws ApiRefusal not_found. Source: docs/decisions/management.md, "Activity".
 */
export const listActivity = async (
  ports: ListActivityPorts,
  owned: Owned,
  { type, since, after, limit }: WantedActivity,
): Promise<ActivityPage> => {
  const { activity, calls, clock, settings } = ports;
  const { id: deploymentId } = await ownedDeployment(ports, owned);
  const start = firstMoment(since, clock.now(), settings.limits.log_retention_days);
  const from = timeOf(start);
  const before = after ?? AFTER_ALL;

  const { events, next } =
    type === 'tool_invocations'
      ? { events: [], next: undefined }
      : await activity.events({ of: { deploymentId }, type, from, before, limit });
  const days =
    type === undefined || type === 'tool_invocations'
      ? await calls.days(deploymentId, dayIn(next ?? from), dayIn(after ?? AFTER_ALL_DAYS))
      : [];
  return activityPage({ before, events, eventsEnd: next, days, maxTools: MAX_TOOLS });
};

/** Failed and locked sign-ins and new passwords of an account, the newest first. */
export const listAccountActivity = async (
  { activity, clock, settings }: Omit<ListActivityPorts, 'calls' | 'deploymentEditor'>,
  accountId: string,
  { type, since, after, limit }: WantedActivity & { readonly type: EventType | undefined },
): Promise<ActivityPage> => {
  const from = timeOf(firstMoment(since, clock.now(), settings.limits.log_retention_days));
  const before = after ?? AFTER_ALL;
  const { events, next } = await activity.events({ of: { accountId }, type, from, before, limit });
  return activityPage({ before, events, eventsEnd: next, days: [], maxTools: 0 });
};

const dayIn = (place: string): string => place.slice(0, 10);
