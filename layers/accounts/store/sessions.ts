import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { StoredSession } from '../rules/records.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Session } from '../rules/user.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { sessionKey } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf, parseItem } from '../../platform/dynamodb/items.ts';
import { indexPage } from '../../tokens/store/index-page.ts';

/** Prefix of the user id: the by-user index of grants holds sessions too, in partitions of their own. */
const OWNER = sessionKey('').pk;

const Item = z.pipe(
  z.object({
    kind: z.enum(['browser', 'api']),
    userId: z.string().check(z.minLength(1)),
    // Absent in sessions of older versions, which appear in no list.
    email: z._default(z.string(), ''),
    createdAt: z.exactOptional(z.int()),
    // Creation time in sessions of versions before the list.
    startedAt: z.exactOptional(z.int()),
    expiresAt: z.int(),
    userAgent: z.exactOptional(z.string()),
    signedInAt: z.exactOptional(z.int()),
    askedAnew: z.exactOptional(z.boolean()),
    provider: z.exactOptional(z.string()),
  }),
  z.transform(({ userId, createdAt, startedAt = 0, ...session }): Session => ({
    ...session,
    userId: userId.startsWith(OWNER) ? userId.slice(OWNER.length) : userId,
    createdAt: createdAt ?? startedAt,
  })),
);

/** Sessions by the fingerprint of their id; ended ones are deleted. */
export const dynamoSessions = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, sessionKey, Item);

  return {
    find: items.find,

    put: async (id: Fingerprint, session: Session): Promise<void> => {
      await items.put(id, itemOf(session));
    },

    /** `put` as a write for a transaction. */
    storing: (id: Fingerprint, session: Session): Write => items.storing(id, itemOf(session)),

    end: (id: Fingerprint): Promise<void> => items.remove(id),

    /** Sessions of a user, newest first, including expired ones. Eventually consistent. */
    pageOfUser: (userId: string, query: PageQuery): Promise<Page<StoredSession>> => {
      const of = { userId: `${OWNER}${userId}` };
      return indexPage(dynamo, { TableName, keyOf: sessionKey, of }, query, (item) => ({
        id: String(item['pk']).slice(OWNER.length) as Fingerprint,
        session: parseItem(Item, item, 'a session'),
      }));
    },
  };
};

const itemOf = (session: Session) => ({
  ...expiring(session),
  userId: `${OWNER}${session.userId}`,
});

export type Sessions = ReturnType<typeof dynamoSessions>;
