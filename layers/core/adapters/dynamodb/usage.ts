import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { LimitValues } from '../../domain/access/limits.ts';
import { Fault } from '../../domain/fault.ts';
import type { Plan } from '../../domain/plan.ts';
import type { EpochSeconds } from '../../domain/time.ts';
import type { Usage, UsageVerdict } from '../../ports.ts';
import { remember } from './remember.ts';
import { subjectKey } from './subject-key.ts';
import { usageCounts, type UsageCounts, type Windows, windowsAt } from './usage-counts.ts';

type Quota = Pick<UsageCounts, 'hour' | 'month'>;
type Refusal = Extract<UsageVerdict, { allowed: false }>;

/** Source: spec, "Limits": at 80 percent a warning. */
const WARN_AT_PERCENT = 80;
/** A try fails only if the user's windows change under it, so a second one is rare. */
const TRIES = 5;
/** The month first: when both are used up, it is the longer wait. */
const WINDOWS = ['month', 'hour'] as const;

/**
 * What users have used of their plans, over all instances. In the usual case that is one update, and
 * two for the first request of an hour. Refused requests write nothing, and cost no call once this
 * instance knows how little is left. A request whose answer is lost may count twice, never not at all.
 */
export const dynamoUsage = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limits: LimitValues,
): Usage => {
  const counts = usageCounts(dynamo, TableName);
  /** What was last seen of users that were refused. Counts only grow, so it stays true in its windows. */
  const refusedAt = new Map<string, UsageCounts>();

  return {
    take: async (userId, plan, cost, now) => {
      const user = subjectKey(userId);
      const quota = quotaOf(limits, plan);
      const taking = { cost, hourRoom: quota.hour - cost, monthRoom: quota.month - cost };
      const known = refusal(refusedAt.get(user) ?? NOTHING, quota, cost, now);
      if (known) return known;

      let windows = windowsAt(now);
      for (let tries = 0; tries < TRIES; tries += 1) {
        const counted =
          (await counts.add(user, windows, taking)) ??
          (await counts.openHour(user, windows, taking));
        if (counted) return allowed(counted, quota, cost);

        const used = await counts.read(user);
        if (!used || used.monthStart < windows.month.start) {
          const opened = await counts.openMonth(user, windows, taking);
          if (opened) return allowed(opened, quota, cost);
          continue;
        }
        const refused = refusal(used, quota, cost, now);
        if (refused) {
          remember(refusedAt, user, used);
          return refused;
        }
        windows = latestWindows(used, now);
      }
      throw new Fault('dynamodb', 'a request could not be counted');
    },

    read: async (userId, now) => usedAt(now, (await counts.read(subjectKey(userId))) ?? NOTHING),
  };
};

const NOTHING: UsageCounts = { hourStart: 0, hour: 0, monthStart: 0, month: 0 };

const quotaOf = (limits: LimitValues, plan: Plan): Quota => ({
  hour: limits[`${plan}_requests_per_hour`],
  month: limits[`${plan}_requests_per_month`],
});

/** Where another instance's clock is ahead of ours, we count where it counts. */
const latestWindows = ({ hourStart }: UsageCounts, now: EpochSeconds): Windows =>
  windowsAt(Math.max(now, hourStart));

/** What of the counts still counts. */
const usedAt = (now: EpochSeconds, counts: UsageCounts): Quota => {
  const { hour, month } = windowsAt(now);
  return {
    hour: counts.hourStart >= hour.start ? counts.hour : 0,
    month: counts.monthStart >= month.start ? counts.month : 0,
  };
};

const refusal = (
  counts: UsageCounts,
  quota: Quota,
  cost: number,
  now: EpochSeconds,
): Refusal | undefined => {
  const used = usedAt(now, counts);
  const window = WINDOWS.find((name) => used[name] + cost > quota[name]);
  if (!window) return undefined;
  const { end } = latestWindows(counts, now)[window];
  return { allowed: false, window, limit: quota[window], retryAfterSeconds: end - now };
};

/** Exactly one request of a window finds the line behind it and itself beyond it. */
const allowed = (counts: UsageCounts, quota: Quota, cost: number): UsageVerdict => ({
  allowed: true,
  warnings: WINDOWS.filter((window) => {
    const line = Math.ceil((quota[window] * WARN_AT_PERCENT) / 100);
    return counts[window] >= line && counts[window] - cost < line;
  }).map((window) => ({ window, limit: quota[window] })),
});
