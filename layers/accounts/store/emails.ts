import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { emailKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

/** Reads whose an e-mail address is, and nothing of the user: who sends mails need not see password hashes. */
export const dynamoEmails = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, emailKey, z.object({ userId: z.string() }));
  return {
    /** @returns the id of its user */
    accountOf: async (email: string): Promise<string | undefined> =>
      (await items.find(email))?.userId,
  };
};

/** All that is known of accounts where mails are sent. */
export type Emails = ReturnType<typeof dynamoEmails>;
