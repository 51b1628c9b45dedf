import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Session } from '../../../domain/accounts/user.ts';
import type { Sessions } from '../../../ports.ts';
import { sessionKey } from '../keys.ts';
import { expiring, itemsOf } from '../table/items.ts';

const Item = z.pipe(
  z.object({
    kind: z.enum(['browser', 'api']),
    userId: z.string().check(z.minLength(1)),
    // Absent where a session began before it was kept: such a one is in no list.
    email: z._default(z.string(), ''),
    // Not `createdAt`, which would put it into the index of grants by user.
    startedAt: z.int(),
    expiresAt: z.int(),
  }),
  z.transform(({ startedAt, ...session }): Session => ({ ...session, createdAt: startedAt })),
);

/** Sessions by the fingerprint of their id; one that has ended is gone. */
export const dynamoSessions = (dynamo: DynamoDBDocumentClient, TableName: string): Sessions => {
  const items = itemsOf(dynamo, TableName, sessionKey, Item);

  return {
    find: items.find,

    put: async (id, { createdAt, ...session }) => {
      await items.put(id, { ...expiring(session), startedAt: createdAt });
    },

    end: (id) => items.remove(id),
  };
};
