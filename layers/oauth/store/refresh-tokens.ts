import { exactly } from '../../platform/rules/shape.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { RefreshToken } from '../../tokens/rules/oauth-records.ts';
import { refreshTokenKey } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = exactly<RefreshToken>()(
  z.object({
    grantId: z.string().check(z.minLength(1)),
    clientId: z.string(),
    generation: z.int().check(z.minimum(0)),
    expiresAt: z.int(),
  }),
);

/** Refresh tokens, which never change: what becomes of them stands with their grant. */
export const dynamoRefreshTokens = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, refreshTokenKey, Item);

  return {
    find: items.find,

    put: async (token: Fingerprint, record: RefreshToken): Promise<void> => {
      await items.put(token, expiring(record));
    },
  };
};

export type RefreshTokens = ReturnType<typeof dynamoRefreshTokens>;
