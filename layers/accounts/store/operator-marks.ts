import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { OperatorMarks } from '../../ports.ts';
import { operatorKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.object({});

/** An item for each operator, whose key alone counts: of its kind IAM lets one function write any. */
export const dynamoOperatorMarks = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): OperatorMarks => {
  const items = itemsOf(dynamo, TableName, operatorKey, Item);
  return {
    has: async (userId) => (await items.find(userId)) !== undefined,
    put: async (userId) => {
      await items.put(userId, {});
    },
    remove: (userId) => items.remove(userId),
  };
};
