import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import { hourOf, monthOf, type PlanWindow, type Window } from '../rules/windows.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import { usageKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';
import type { LimitValues } from '../rules/limits.ts';
import { Fault } from '../../platform/rules/fault.ts';
import type { Plan } from '../rules/plan.ts';
import type { QuotaDecision } from '../rules/decisions.ts';
import { subjectCache } from '../../platform/cache/subject-cache.ts';

/** Counts of the hour and the month in which a user was last counted. */
const UsageCounts = z.object({
  hourStart: z.int(),
  hourCount: z.int(),
  monthStart: z.int(),
  monthCount: z.int(),
});
export type UsageCounts = ValueOf<typeof UsageCounts>;

export interface Windows {
  readonly hour: Window;
  readonly month: Window;
}

/** The rooms are the largest counts so far with which the cost still fits. */
export interface Cost {
  readonly cost: number;
  readonly hourRoom: number;
  readonly monthRoom: number;
}

/** Every hour lies within one month, so that a new month is always a new hour. */
export const windowsAt = (now: EpochSeconds): Windows => ({
  hour: hourOf(now),
  month: monthOf(now),
});

/** Steps of counting, each one conditional update of the user's item, or one read. */
export const usageCounts = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, usageKey, UsageCounts);

  return {
    read: items.find,

    /** Counts in the stored windows. */
    add: (userId: string, { hour, month }: Windows, { cost, hourRoom, monthRoom }: Cost) =>
      items.update(userId, {
        UpdateExpression: 'ADD hourCount :cost, monthCount :cost',
        ConditionExpression:
          'hourStart = :hour AND monthStart = :month AND hourCount <= :hourRoom AND monthCount <= :monthRoom',
        ExpressionAttributeValues: {
          ':cost': cost,
          ':hour': hour.start,
          ':month': month.start,
          ':hourRoom': hourRoom,
          ':monthRoom': monthRoom,
        },
      }),

    /** Counts as the first request of an hour. Windows only advance, so that a slow clock cannot reopen one. */
    openHour: (userId: string, { hour, month }: Windows, { cost, monthRoom }: Cost) =>
      items.update(userId, {
        UpdateExpression: 'SET hourStart = :hour, hourCount = :cost ADD monthCount :cost',
        ConditionExpression:
          'hourStart < :hour AND monthStart = :month AND monthCount <= :monthRoom',
        ExpressionAttributeValues: {
          ':cost': cost,
          ':hour': hour.start,
          ':month': month.start,
          ':monthRoom': monthRoom,
        },
      }),

    /** Counts as the first request of a month, or the first ever. */
    openMonth: (userId: string, { hour, month }: Windows, { cost }: Cost) =>
      items.update(userId, {
        UpdateExpression:
          'SET hourStart = :hour, hourCount = :cost, monthStart = :month, monthCount = :cost, deleteAfter = :deleteAfter',
        ConditionExpression: 'attribute_not_exists(pk) OR monthStart < :month',
        ExpressionAttributeValues: {
          ':cost': cost,
          ':hour': hour.start,
          ':month': month.start,
          ':deleteAfter': month.end + DAY,
        },
      }),
  };
};

type Quota = Readonly<Record<'hour' | 'month', number>>;
type Refusal = Extract<QuotaDecision, { allowed: false }>;
type Counted =
  | Refusal
  /** `crossed`: windows in which this request reached 80 percent. */
  | { readonly allowed: true; readonly crossed: readonly PlanWindow[] };

/** Source: docs/decisions/limits.md, "Quotas". */
const WARN_AT_PERCENT = 80;
/** A retry is rare: it takes a new window during the update. */
const TRIES = 5;
/** The month first: if both are used up, its wait is the longer one. */
const WINDOWS = ['month', 'hour'] as const;

/**
 * Usage of plans over all instances. Usually one update; two for the first request of an hour. Refused requests write
 * nothing, and cost no call once this instance knows how little is left. A request whose answer is lost may count
 * twice, never not at all.
 */
export const dynamoUsage = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limits: LimitValues,
) => {
  const counts = usageCounts(dynamo, TableName);
  /** Counts of refused users. They only grow, so that they stay valid within their windows. */
  const refusedAt = subjectCache<UsageCounts>();

  const knownOf = ({ subject, quota }: Counter, cost: number, now: EpochSeconds) =>
    refusal(refusedAt.get(usageKey(subject).pk) ?? NOTHING, quota, cost, now);

  /** Rotates the first part, which spreads requests over all parts. */
  let turn = 0;

  /** Refuses by cached counts alone. */
  const knownRefusal = (whole: Counter, cost: number, now: EpochSeconds): Refusal | undefined => {
    const known = partsOf(whole).map((part) => knownOf(part, cost, now));
    return known.includes(undefined) ? undefined : ofWhole(soonest(known), whole);
  };

  /** Takes from any part with room, so that the whole quota can be used, and no more. */
  const takeFrom = async (whole: Counter, cost: number, now: EpochSeconds): Promise<Counted> => {
    const parts = partsOf(whole);
    const first = turn % parts.length;
    turn += 1;
    const refusals: Refusal[] = [];
    for (const part of [...parts.slice(first), ...parts.slice(0, first)]) {
      const counted = knownOf(part, cost, now) ?? (await take(part, cost, now));
      // Only the first part reports crossings: all parts cross at about the same time.
      if (counted.allowed) return part === parts[0] ? counted : { ...counted, crossed: [] };
      refusals.push(counted);
    }
    return ofWhole(soonest(refusals), whole);
  };

  const take = async (
    { subject, quota }: Counter,
    cost: number,
    now: EpochSeconds,
  ): Promise<Counted> => {
    const wanted = { cost, hourRoom: quota.hour - cost, monthRoom: quota.month - cost };
    let windows = windowsAt(now);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const counted =
        (await counts.add(subject, windows, wanted)) ??
        (await counts.openHour(subject, windows, wanted));
      if (counted) return allowed(counted, quota, cost);

      const used = await counts.read(subject);
      if (!used || used.monthStart < windows.month.start) {
        const opened = await counts.openMonth(subject, windows, wanted);
        if (opened) return allowed(opened, quota, cost);
        continue;
      }
      const refused = refusal(used, quota, cost, now);
      if (refused) {
        refusedAt.set(usageKey(subject).pk, used);
        return refused;
      }
      windows = latestWindows(used, now);
    }
    throw new Fault('dynamodb', 'a request could not be counted');
  };

  return {
    /**
     * Takes all of `cost`, or nothing.
     * @param subject - whose usage counts
     * @param total - counter shared with others of the same issuers; either may refuse. The first request that one
     *   refuses may have counted with the other
     */
    take: async (
      subject: string,
      plan: Plan,
      cost: number,
      now: EpochSeconds,
      total?: string,
    ): Promise<QuotaDecision> => {
      const counters: readonly Counter[] = [
        { subject, quota: quotaOf(limits, plan) },
        ...(total === undefined ? [] : [{ subject: total, quota: issuerQuotaOf(limits, plan) }]),
      ];
      const known = longest(counters.map((one) => knownRefusal(one, cost, now)));
      if (known) return known;
      // Both in one round trip. A refusal is cached, so that later requests cost the other counter nothing.
      const verdicts = await Promise.all(counters.map((one) => takeFrom(one, cost, now)));
      const refused = longest(verdicts);
      if (refused) return refused;
      const warnings = verdicts.flatMap((verdict, index) =>
        verdict.allowed
          ? verdict.crossed.map((window) => ({
              window,
              limit: counters[index]?.quota[window] ?? 0,
              ...(index > 0 && { isTotal: true as const }),
            }))
          : [],
      );
      return { allowed: true, warnings };
    },

    read: async (
      subject: string,
      plan: Plan,
      now: EpochSeconds,
    ): Promise<{ readonly hour: number; readonly month: number }> => {
      const parts = partsOf({ subject, quota: quotaOf(limits, plan) });
      const used = await Promise.all(
        parts.map(async (part) => usedAt(now, (await counts.read(part.subject)) ?? NOTHING)),
      );
      const sum = (window: PlanWindow) => used.reduce((all, each) => all + each[window], 0);
      return { hour: sum('hour'), month: sum('month') };
    },
  };
};

/** Source: docs/decisions/limits.md, "Quotas". */
export type Usage = ReturnType<typeof dynamoUsage>;

const NOTHING: UsageCounts = { hourStart: 0, hourCount: 0, monthStart: 0, monthCount: 0 };

const quotaOf = (limits: LimitValues, plan: Plan): Quota => ({
  hour: limits[`${plan}_requests_per_hour`],
  month: limits[`${plan}_requests_per_month`],
});

/** For all callers of an owner's issuers together. Source: docs/decisions/limits.md, "Quotas". */
const issuerQuotaOf = (limits: LimitValues, plan: Plan): Quota => ({
  hour: limits[`${plan}_issuer_requests_per_hour`],
  month: limits[`${plan}_issuer_requests_per_month`],
});

interface Counter {
  readonly subject: string;
  readonly quota: Quota;
}

/** Requests per hour for a single item: DynamoDB throttles an item at a thousand writes a second. */
const MOST_OF_ONE_ITEM = 1_000_000;
const PARTS = 16;

/** Splits a large quota over several items. The first one keeps the key that it had before the limit was raised. */
const partsOf = (whole: Counter): readonly Counter[] => {
  const { subject, quota } = whole;
  // A small monthly quota is not split either: a batch would fit into no part.
  if (Math.min(quota.hour, quota.month) <= MOST_OF_ONE_ITEM) return [whole];
  const part = (count: number, index: number) => Math.floor((count + index) / PARTS);
  return Array.from({ length: PARTS }, (_, index) => ({
    subject: index === 0 ? subject : `${subject}#${index}`,
    quota: { hour: part(quota.hour, index), month: part(quota.month, index) },
  }));
};

/** Of refusals of all parts, the one that ends first. */
const soonest = (refusals: readonly (Refusal | undefined)[]): Refusal | undefined =>
  refusals
    .filter((one) => one !== undefined)
    .toSorted((a, b) => (a.retryAfterSeconds ?? Infinity) - (b.retryAfterSeconds ?? Infinity))[0];

const ofWhole = (refused: Refusal | undefined, { quota }: Counter): Refusal => {
  if (!refused) throw new Error('there is no part that has refused');
  return { ...refused, limit: quota[refused.window] };
};

/** Another instance's clock may be ahead of ours: count in its windows. */
const latestWindows = ({ hourStart }: UsageCounts, now: EpochSeconds): Windows =>
  windowsAt(Math.max(now, hourStart));

/** Counts of the current windows; 0 for a past one. */
const usedAt = (now: EpochSeconds, counts: UsageCounts): Quota => {
  const { hour, month } = windowsAt(now);
  return {
    hour: counts.hourStart >= hour.start ? counts.hourCount : 0,
    month: counts.monthStart >= month.start ? counts.monthCount : 0,
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
  const most = WINDOWS.find((name) => cost > quota[name]);
  return most
    ? { allowed: false, window: most, limit: quota[most] }
    : { allowed: false, window, limit: quota[window], retryAfterSeconds: end - now };
};

/** The longest of the refusals by the subject's own counter and the total. */
const longest = (verdicts: readonly (Counted | undefined)[]): Refusal | undefined =>
  verdicts
    .flatMap((verdict, index) =>
      verdict?.allowed === false
        ? [{ ...verdict, ...(index > 0 && { isTotal: true as const }) }]
        : [],
    )
    .toSorted((a, b) => (b.retryAfterSeconds ?? Infinity) - (a.retryAfterSeconds ?? Infinity))[0];

/** Exactly one request per window crosses the line of 80 percent. */
const allowed = (
  { hourCount: hour, monthCount: month }: UsageCounts,
  quota: Quota,
  cost: number,
): Counted => {
  const used: Quota = { hour, month };
  const crossed = WINDOWS.filter((window) => {
    const line = Math.ceil((quota[window] * WARN_AT_PERCENT) / 100);
    return used[window] >= line && used[window] - cost < line;
  });
  return { allowed: true, crossed };
};
