import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { signOutKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.object({ signedOutAt: z.int() });

/** The users that were signed out everywhere of late; `dynamoUsers` writes them. */
export const dynamoSignOuts = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, signOutKey, Item);
  return {
    /** `signedOutAt` of a user, as long as anything from before it could still be valid. */
    find: async (userId: string): Promise<EpochSeconds | undefined> =>
      (await items.find(userId))?.signedOutAt,
  };
};

/** What those who cannot read users know of them. */
export type SignOuts = ReturnType<typeof dynamoSignOuts>;
