import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Emails } from '../../ports.ts';
import { emailKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';

/** Reads whose an e-mail address is, and nothing of the user: who sends mails need not see password hashes. */
export const dynamoEmails = (dynamo: DynamoDBDocumentClient, TableName: string): Emails => {
  const items = itemsOf(dynamo, TableName, emailKey, z.object({ userId: z.string() }));
  return { accountOf: async (email) => (await items.find(email))?.userId };
};
