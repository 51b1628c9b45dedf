import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { emailKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

/** Finds the account id of an e-mail address, for the mail function, which must not read password hashes. */
export const dynamoEmails = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, emailKey, z.object({ userId: z.string() }));
  return {
    accountOf: async (email: string): Promise<string | undefined> =>
      (await items.find(email))?.userId,
  };
};

export type Emails = ReturnType<typeof dynamoEmails>;
