import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AuthorizationCode } from '../../domain/oauth/records.ts';
import type { Codes } from '../../ports.ts';
import { GrantAttributes, grantAttributes, grantFrom } from './grant-attributes.ts';
import { itemsOf, lifetime } from './items.ts';

const Item = z.pipe(
  z.object({
    grant: GrantAttributes,
    redirect_uri: z.string(),
    challenge: z.string(),
    valid_until: z.int(),
    used_at: z.exactOptional(z.int()),
  }),
  z.transform((item): AuthorizationCode => ({
    grant: grantFrom(item.grant),
    redirectUri: item.redirect_uri,
    challenge: item.challenge,
    expiresAt: item.valid_until,
    ...(item.used_at !== undefined && { usedAt: item.used_at }),
  })),
);

/** A code is marked, not deleted, so that a replay is recognized and ends the grant. */
export const dynamoCodes = (dynamo: DynamoDBDocumentClient, TableName: string): Codes => {
  const items = itemsOf(dynamo, TableName, 'CODE', Item);

  return {
    find: items.find,

    put: async (code, record) => {
      await items.put(code, {
        grant: grantAttributes(record.grant),
        redirect_uri: record.redirectUri,
        challenge: record.challenge,
        used_at: record.usedAt,
        ...lifetime(record.expiresAt),
      });
    },

    markUsed: async (code, requestId, now) => {
      // The condition names our own request too: a retry after a lost answer is no replay.
      const used = await items.update(code, {
        UpdateExpression: 'SET used_at = :now, used_by = :request',
        ConditionExpression:
          'valid_until > :now AND (attribute_not_exists(used_at) OR used_by = :request)',
        ExpressionAttributeValues: { ':now': now, ':request': requestId },
      });
      return used !== undefined;
    },
  };
};
