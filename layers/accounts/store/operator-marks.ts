import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { operatorKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.object({});

/** An item for each operator, whose key alone counts: of its kind IAM lets one function write any. */
export const dynamoOperatorMarks = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, operatorKey, Item);
  return {
    has: async (userId: string): Promise<boolean> => (await items.find(userId)) !== undefined,
    put: async (userId: string): Promise<void> => {
      await items.put(userId, {});
    },
    /** Also if there is none. */
    remove: (userId: string): Promise<void> => items.remove(userId),
  };
};

/**
 * Who is an operator, apart from what else is known of users: the function that serves owners writes users, and
 * may read this and no more.
 */
export type OperatorMarks = ReturnType<typeof dynamoOperatorMarks>;
