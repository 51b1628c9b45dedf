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
 * One counter per limit, subject and fixed window in UTC, so that a wrong clock cannot reset another's count. Refused
 * requests write nothing, and cost no call once this instance knows that the subject exceeds the limit. A count whose
 * answer is lost may count twice, never not at all.
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
    /** By this instance's cache alone: refused only after a refusal here. */
    known: (limit: WindowLimit, subject: string, now: EpochSeconds): LimitDecision => {
      const { key, refused } = windowAt(limit, subject, now);
      return spent.has(key) ? refused : { allowed: true };
    },

    /** Reads without counting. @throws Fault */
    look: async (
      limit: WindowLimit,
      subject: string,
      now: EpochSeconds,
    ): Promise<LimitDecision> => {
      const { counter, refused } = windowAt(limit, subject, now);
      const { count = 0 } = (await items.find(counter)) ?? {};
      return count < limits[limit] ? { allowed: true } : refused;
    },

    /** Counts one. @throws Fault if the store is down: callers fail closed */
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

export type Counters = ReturnType<typeof dynamoCounters>;
