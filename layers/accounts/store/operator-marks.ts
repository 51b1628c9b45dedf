import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { operatorKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.object({});

/** Items whose key alone counts: the function that serves owners can write users, but only read these. */
export const dynamoOperatorMarks = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, operatorKey, Item);
  return {
    has: async (userId: string): Promise<boolean> => (await items.find(userId)) !== undefined,
    put: async (userId: string): Promise<void> => {
      await items.put(userId, {});
    },
    remove: (userId: string): Promise<void> => items.remove(userId),
  };
};

export type OperatorMarks = ReturnType<typeof dynamoOperatorMarks>;
