import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { LimitValues } from '../rules/limits.ts';
import { type WindowLimit, windowOf } from '../rules/windows.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import type { Counters } from '../../ports.ts';
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
): Counters => {
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
    known: (limit, subject, now) => {
      const { key, refused } = windowAt(limit, subject, now);
      return spent.has(key) ? refused : { allowed: true };
    },

    take: async (limit, subject, now) => {
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
