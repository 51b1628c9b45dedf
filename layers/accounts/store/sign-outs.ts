import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { SignOuts } from '../../ports.ts';
import { signOutKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.object({ signedOutAt: z.int() });

/** The users that were signed out everywhere of late; `dynamoUsers` writes them. */
export const dynamoSignOuts = (dynamo: DynamoDBDocumentClient, TableName: string): SignOuts => {
  const items = itemsOf(dynamo, TableName, signOutKey, Item);
  return { find: async (userId) => (await items.find(userId))?.signedOutAt };
};
