import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { SweepPosition, SweepProgress } from '../../ports.ts';
import { sweepKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, itemsOf } from '../../platform/dynamodb/items.ts';
import type { Fields } from '../../platform/dynamodb/parse-item.ts';

const Item = z.object({
  id: z.string(),
  step: z.enum(['deployments', 'files']),
  after: z.optional(z.string()),
} satisfies Fields<SweepPosition>);

/** How far the sweep has come, in one item that is written under the condition that it is as it was read. */
export const dynamoSweepProgress = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): SweepProgress => {
  const items = itemsOf(dynamo, TableName, sweepKey, Item);
  const key = 'the only one';
  return {
    read: () => items.find(key),

    advance: async (from, to) => {
      const isStill = from
        ? { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': from.id } }
        : ABSENT;
      if (to) return items.put(key, to, isStill);
      // Whoever was faster has ended the round, or leads it on.
      await items.remove(key, isStill);
      return true;
    },
  };
};
