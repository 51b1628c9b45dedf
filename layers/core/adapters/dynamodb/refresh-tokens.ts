import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { RefreshToken } from '../../domain/oauth/records.ts';
import type { RefreshTokens } from '../../ports.ts';
import { itemsOf, lifetime } from './items.ts';

const Item = z.pipe(
  z.object({
    grant_id: z.string().check(z.minLength(1)),
    client_id: z.string(),
    generation: z.int().check(z.minimum(0)),
    valid_until: z.int(),
  }),
  z.transform((item): RefreshToken => ({
    grantId: item.grant_id,
    clientId: item.client_id,
    generation: item.generation,
    expiresAt: item.valid_until,
  })),
);

/** Refresh tokens, which never change: what becomes of them stands with their grant. */
export const dynamoRefreshTokens = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): RefreshTokens => {
  const items = itemsOf(dynamo, TableName, 'RT', Item);

  return {
    find: items.find,

    put: async (token, record) => {
      await items.put(token, {
        grant_id: record.grantId,
        client_id: record.clientId,
        generation: record.generation,
        ...lifetime(record.expiresAt),
      });
    },
  };
};
