import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { MailToken } from '../../domain/accounts/user.ts';
import type { MailTokens, Mint } from '../../ports.ts';
import { itemsOf, lifetime } from './items.ts';
import { taking } from './taking.ts';

const Item = z.pipe(
  z.object({
    purpose: z.enum(['verify_email', 'reset_password']),
    user_id: z.string().check(z.minLength(1)),
    password_hash: z.exactOptional(z.string()),
    valid_until: z.int(),
    taken_by: z.exactOptional(z.string()),
  }),
  z.transform((item) => ({
    taken: item.taken_by !== undefined,
    record: {
      purpose: item.purpose,
      userId: item.user_id,
      ...(item.password_hash !== undefined && { passwordHash: item.password_hash }),
      expiresAt: item.valid_until,
    } satisfies MailToken,
  })),
);

/** What the links in mails stand for. One that was taken is not found again. */
export const dynamoMailTokens = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  mint: Mint,
): MailTokens => {
  const items = itemsOf(dynamo, TableName, 'MAIL', Item);

  return {
    put: async (token, record) => {
      await items.put(token, {
        purpose: record.purpose,
        user_id: record.userId,
        password_hash: record.passwordHash,
        ...lifetime(record.expiresAt),
      });
    },

    find: async (token) => {
      const found = await items.find(token);
      return found?.taken ? undefined : found?.record;
    },

    take: async (token) => (await items.update(token, taking(mint.id())))?.record,
  };
};
