import type { LimitName, LimitValues } from '../rules/limits.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Lease, NoLease } from '../rules/decisions.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Random } from '../../platform/system/random.ts';
import { leaseKey, type LeaseSlot } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.object({ holder: z.string(), expiresAt: z.int() });

/** One item per lease that a subject may hold, each taken by a conditional write. */
export const dynamoLeases = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limits: LimitValues,
  random: Pick<Random, 'id'>,
) => {
  const items = itemsOf<typeof Item, LeaseSlot>(dynamo, TableName, leaseKey, Item);

  return {
    /** @param seconds - lifetime: the holder may be killed @throws Fault if the store is down: callers fail closed */
    take: async (
      limit: Extract<LimitName, `${string}_at_once_per_user`>,
      subject: string,
      seconds: number,
      now: EpochSeconds,
    ): Promise<Lease | NoLease> => {
      const holder = random.id();
      let until = now + seconds;
      for (let slot = 0; slot < limits[limit]; slot += 1) {
        const place = { limit, subject, slot };
        const taken = await items.put(place, expiring({ holder, expiresAt: now + seconds }), {
          ConditionExpression: 'attribute_not_exists(pk) OR expiresAt <= :now',
          ExpressionAttributeValues: { ':now': now },
        });
        if (!taken) {
          const held = await items.find(place);
          until = Math.min(until, held?.expiresAt ?? now);
          continue;
        }
        const isOurs = {
          ConditionExpression: 'holder = :holder',
          ExpressionAttributeValues: { ':holder': holder },
        };
        return { giveBack: () => items.remove(place, isOurs) };
      }
      return { until };
    },
  };
};

export type Leases = ReturnType<typeof dynamoLeases>;
