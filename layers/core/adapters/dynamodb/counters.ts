import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { LimitValues } from '../../domain/access/limits.ts';
import { windowOf } from '../../domain/access/windows.ts';
import { DAY } from '../../domain/time.ts';
import type { Counters } from '../../ports.ts';
import { itemsOf } from './items.ts';
import { remember } from './remember.ts';
import { subjectKey } from './subject-key.ts';

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
  const spent = new Map<string, true>();

  return {
    take: async (limit, subject, now) => {
      const { start, end } = windowOf(limit, now);
      const refused = { allowed: false, retryAfterSeconds: end - now } as const;
      const id = `${subjectKey(subject)}#${start}`;
      const key = `${limit}#${id}`;
      if (spent.has(key)) return refused;

      const counted = await itemsOf(dynamo, TableName, limit, Item).update(id, {
        UpdateExpression: 'ADD #count :one SET expires_at = :expires',
        ConditionExpression: 'attribute_not_exists(#count) OR #count < :limit',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: { ':one': 1, ':limit': limits[limit], ':expires': end + DAY },
      });
      if (counted) return { allowed: true };
      remember(spent, key, true);
      return refused;
    },
  };
};
