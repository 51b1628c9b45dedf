import type { LimitDecision } from '../rules/decisions.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { LimitValues, WindowLimit } from '../rules/limits.ts';
import { windowOf } from '../rules/windows.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import { counterKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';
import { subjectCache } from '../../platform/cache/subject-cache.ts';

const Item = z.object({ count: z.int() });

/**
 * One counter per limit, subject and window, so that no clock can reset what another counts. Refused
 * requests write nothing, and cost no call once this instance knows that the subject is over. A count
 * whose answer is lost may count twice, never not at all.
 */
export const dynamoCounters = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limits: LimitValues,
) => {
  const items = itemsOf(dynamo, TableName, counterKey, Item);
  const spent = subjectCache<true>();

  const windowAt = (limit: WindowLimit, subject: string, now: EpochSeconds) => {
    const { start, end } = windowOf(limit, now);
    const counter = { limit, subject, start };
    const key = counterKey(counter).pk;
    return {
      end,
      counter,
      key,
      refused: { allowed: false, retryAfterSeconds: end - now } as const,
    };
  };

  return {
    /** What this instance knows without asking: refused only once it was refused here. */
    known: (limit: WindowLimit, subject: string, now: EpochSeconds): LimitDecision => {
      const { key, refused } = windowAt(limit, subject, now);
      return spent.has(key) ? refused : { allowed: true };
    },

    /** Whether one could be taken, without taking it. @throws Fault */
    look: async (
      limit: WindowLimit,
      subject: string,
      now: EpochSeconds,
    ): Promise<LimitDecision> => {
      const { counter, refused } = windowAt(limit, subject, now);
      const { count = 0 } = (await items.find(counter)) ?? {};
      return count < limits[limit] ? { allowed: true } : refused;
    },

    /**
     * Takes one from a limit whose name says its window (`..._per_minute_...`, `..._per_hour_...`, `..._per_day`).
     *
     * @throws Fault when the store is down: callers fail closed
     */
    take: async (
      limit: WindowLimit,
      subject: string,
      now: EpochSeconds,
    ): Promise<LimitDecision> => {
      const { end, counter, key, refused } = windowAt(limit, subject, now);
      if (spent.has(key)) return refused;

      const counted = await items.update(counter, {
        UpdateExpression: 'ADD #count :one SET deleteAfter = :deleteAfter',
        ConditionExpression: 'attribute_not_exists(#count) OR #count < :limit',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: {
          ':one': 1,
          ':limit': limits[limit],
          ':deleteAfter': end + DAY,
        },
      });
      if (counted) return { allowed: true };
      spent.set(key, true);
      return refused;
    },
  };
};

/** Fixed windows in UTC, one atomic counter each; refused requests are not counted. */
export type Counters = ReturnType<typeof dynamoCounters>;
