import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { SweepPosition } from '../rules/sweep.ts';
import { sweepKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, itemsOf } from '../../platform/dynamodb/items.ts';

/** Position of the sweep, in one item that is only written if unchanged since it was read. */
export const dynamoSweepProgress = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, sweepKey, SweepPosition);
  const key = 'the only one';
  return {
    /** @returns undefined if no round is under way */
    read: (): Promise<SweepPosition | undefined> => items.find(key),

    /**
     * @param from - position as read; undefined starts a round
     * @param to - undefined ends the round
     * @returns false if another invocation was faster
     */
    advance: async (
      from: SweepPosition | undefined,
      to: SweepPosition | undefined,
    ): Promise<boolean> => {
      const isStill = from
        ? { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': from.id } }
        : ABSENT;
      if (to) return items.put(key, to, isStill);
      // If another invocation was faster, it has ended or continued the round.
      await items.remove(key, isStill);
      return true;
    },
  };
};

export type SweepProgress = ReturnType<typeof dynamoSweepProgress>;
