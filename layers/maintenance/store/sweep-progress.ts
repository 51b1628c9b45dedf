import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SweepPosition } from '../rules/sweep.ts';
import { sweepKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, itemsOf } from '../../platform/dynamodb/items.ts';

/** How far the sweep has come, in one item that is written under the condition that it is as it was read. */
export const dynamoSweepProgress = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, sweepKey, SweepPosition);
  const key = 'the only one';
  return {
    /** @returns undefined if no round is under way */
    read: (): Promise<SweepPosition | undefined> => items.find(key),

    /**
     * @param from - as it was read; undefined begins a round
     * @param to - undefined ends it
     * @returns false if another invocation was faster: it goes on from there
     */
    advance: async (
      from: SweepPosition | undefined,
      to: SweepPosition | undefined,
    ): Promise<boolean> => {
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

export type SweepProgress = ReturnType<typeof dynamoSweepProgress>;
