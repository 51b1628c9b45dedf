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

/** Set before the user: the index of grants by user holds sessions too, in partitions of their own. */
const OWNER = sessionKey('').pk;

const Item = z.pipe(
  z.object({
    kind: z.enum(['browser', 'api']),
    userId: z.string().check(z.minLength(1)),
    // Absent in sessions of versions that did not store it: such a one is in no list.
    email: z._default(z.string(), ''),
    createdAt: z.exactOptional(z.int()),
    // Of sessions that began before they were listed.
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

/** Sessions by the fingerprint of their id; one that has ended is gone. */
export const dynamoSessions = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, sessionKey, Item);

  return {
    find: items.find,

    put: async (id: Fingerprint, session: Session): Promise<void> => {
      await items.put(id, itemOf(session));
    },

    /** The same, to be committed with what buys it. */
    storing: (id: Fingerprint, session: Session): Write => items.storing(id, itemOf(session)),

    end: (id: Fingerprint): Promise<void> => items.remove(id),

    /** The newest first, with those whose time is over. May lag behind a moment. */
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
