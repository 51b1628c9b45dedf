import { type ActivityPage, activityPage } from '../rules/page.ts';
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
  /** Everything if undefined. */
  readonly type: ActivityType | undefined;
  /** The first moment that counts; at most as long ago as logs are kept. */
  readonly since: EpochSeconds | undefined;
  readonly after: string | undefined;
  /** How many events a page has at most; tools come by whole days. */
  readonly limit: number;
}

/** Tools of a page, but for its first day, which is whole. */
const MAX_TOOLS = 1000;
/** Places that come behind every time: clocks of other instances may be ahead of ours. */
const AFTER_ALL = '~';
const AFTER_ALL_DAYS = '9999-12-31';

/**
 * What has happened on a deployment, the newest first: events one by one, and how its tools were called
 * day by day. May lag behind a moment; calls of the last seconds may be missing.
 *
 * @throws ApiRefusal not_found
 *
 * Source: docs/decisions/management.md, "Activity".
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

/**
 * What has happened to an account, the newest first: failed and locked sign-ins, new passwords.
 *
 * @param wanted - like that of a deployment, without calls of tools
 */
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
