import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Session } from '../../domain/accounts/user.ts';
import type { Sessions } from '../../ports.ts';
import { itemsOf, lifetime } from './items.ts';

const Item = z.pipe(
  z.object({
    kind: z.enum(['browser', 'api']),
    user_id: z.string().check(z.minLength(1)),
    began_at: z.int(),
    valid_until: z.int(),
  }),
  z.transform((item): Session => ({
    kind: item.kind,
    userId: item.user_id,
    createdAt: item.began_at,
    expiresAt: item.valid_until,
  })),
);

/** Sessions by the fingerprint of their id; one that has ended is gone. */
export const dynamoSessions = (dynamo: DynamoDBDocumentClient, TableName: string): Sessions => {
  const items = itemsOf(dynamo, TableName, 'SESSION', Item);

  return {
    find: items.find,

    put: async (id, session) => {
      await items.put(id, {
        kind: session.kind,
        user_id: session.userId,
        // Not `created_at`, which would put it into the index of grants by user.
        began_at: session.createdAt,
        ...lifetime(session.expiresAt),
      });
    },

    end: (id) => items.remove(id),
  };
};
