import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { LimitValues } from '../rules/limits.ts';
import type { Leases, Random } from '../../ports.ts';
import { leaseKey, type LeaseSlot } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.object({ holder: z.string(), expiresAt: z.int() });

/** One item for each lease that a subject may hold at once, taken by one conditional write each. */
export const dynamoLeases = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limits: LimitValues,
  random: Pick<Random, 'id'>,
): Leases => {
  const items = itemsOf<typeof Item, LeaseSlot>(dynamo, TableName, leaseKey, Item);

  return {
    take: async (limit, subject, seconds, now) => {
      const holder = random.id();
      for (let slot = 0; slot < limits[limit]; slot += 1) {
        const place = { limit, subject, slot };
        const taken = await items.put(place, expiring({ holder, expiresAt: now + seconds }), {
          ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
          ExpressionAttributeValues: { ':now': now },
        });
        if (!taken) continue;
        const isOurs = {
          ConditionExpression: 'holder = :holder',
          ExpressionAttributeValues: { ':holder': holder },
        };
        return { giveBack: () => items.remove(place, isOurs) };
      }
      return undefined;
    },
  };
};
