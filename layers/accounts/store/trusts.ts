import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { assigning, itemsOf, parseItem, PRESENT } from '../../platform/dynamodb/items.ts';
import { trustKey } from '../../platform/dynamodb/keys.ts';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import { storedOf } from '../../platform/rules/shape.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { indexPage } from '../../tokens/store/index-page.ts';
import { type KeptTrust, Trust } from '../rules/trust.ts';

/** Prefix of the user id: the by-user index of grants holds trusts too, in partitions of their own. */
const OWNER = trustKey('').pk;

const Item = z.pipe(
  storedOf(Trust),
  z.transform((trust): Trust => ({
    ...trust,
    userId: trust.userId.startsWith(OWNER) ? trust.userId.slice(OWNER.length) : trust.userId,
  })),
);

export const dynamoTrusts = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, trustKey, Item);

  return {
    find: (id: string): Promise<Trust | undefined> => items.find(id),

    put: async (id: string, trust: Trust): Promise<void> => {
      await items.put(id, { ...trust, userId: `${OWNER}${trust.userId}` });
    },

    /** Records the day of the latest use. Does nothing if the trust is gone. */
    used: async (id: string, day: string): Promise<void> => {
      await items.update(id, assigning({ usedOn: day }, PRESENT));
    },

    /** Ends the trust and lets DynamoDB delete it. Does nothing if it is gone. */
    end: async (id: string, now: EpochSeconds): Promise<void> => {
      await items.update(id, assigning({ endedAt: now, deleteAfter: now }, PRESENT));
    },

    /** Trusts of a user, newest first, including ended ones. Eventually consistent. */
    pageOfUser: (userId: string, query: PageQuery): Promise<Page<KeptTrust>> => {
      const of = { userId: `${OWNER}${userId}` };
      return indexPage(dynamo, { TableName, keyOf: trustKey, of }, query, (item) => ({
        id: String(item['pk']).slice(OWNER.length),
        trust: parseItem(Item, item, 'a trust'),
      }));
    },
  };
};

export type Trusts = ReturnType<typeof dynamoTrusts>;
