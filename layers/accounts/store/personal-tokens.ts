import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { assigning, expiring, itemsOf, parseItem, PRESENT } from '../../platform/dynamodb/items.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { personalTokenKey } from '../../platform/dynamodb/keys.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import { storedOf } from '../../platform/rules/shape.ts';
import { indexPage } from '../../tokens/store/index-page.ts';
import {
  type MachineTokenId,
  type StoredPersonalToken,
  PersonalToken,
} from '../rules/personal-token.ts';

/** Prefix of the user id: the by-user index of grants holds these tokens too, in partitions of their own. */
const OWNER = personalTokenKey('').pk;
/** Another prefix keeps tokens of machines, which are many, out of the list of a person's own tokens. */
const MACHINE_OF = 'MACHINE#';

const Item = z.pipe(
  storedOf(PersonalToken),
  z.transform((token): PersonalToken => ({
    ...token,
    userId: withoutOwner(token.userId),
  })),
);

const withoutOwner = (userId: string): string => {
  const owner = [OWNER, MACHINE_OF].find((one) => userId.startsWith(one)) ?? '';
  return userId.slice(owner.length);
};

/** Personal access tokens by the fingerprint of their secret; an ended one is stored as expired. */
export const dynamoPersonalTokens = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, personalTokenKey, Item);

  return {
    find: (id: Fingerprint | MachineTokenId): Promise<PersonalToken | undefined> => items.find(id),

    put: async (id: Fingerprint | MachineTokenId, token: PersonalToken): Promise<void> => {
      await items.put(id, itemOf(token));
    },

    /** `put` as a write for a transaction. */
    storing: (id: MachineTokenId, token: PersonalToken): Write => items.storing(id, itemOf(token)),

    /** Records the day of the latest use. Does nothing if the token is gone. */
    used: async (id: Fingerprint | MachineTokenId, day: string): Promise<void> => {
      await items.update(id, assigning({ usedOn: day }, PRESENT));
    },

    /** Expires the token and lets DynamoDB delete it. Does nothing if it is gone. */
    end: async (id: Fingerprint): Promise<void> => {
      await items.update(id, assigning({ expiresAt: 1, deleteAfter: 1 }, PRESENT));
    },

    /** Tokens made by a person, newest first, including expired ones. Eventually consistent. */
    pageOfUser: (userId: string, query: PageQuery): Promise<Page<StoredPersonalToken>> => {
      const of = { userId: `${OWNER}${userId}` };
      return indexPage(dynamo, { TableName, keyOf: personalTokenKey, of }, query, (item) => ({
        id: String(item['pk']).slice(OWNER.length) as Fingerprint,
        token: parseItem(Item, item, 'a personal access token'),
      }));
    },
  };
};

const itemOf = (token: PersonalToken) => {
  const owner = token.trust === undefined ? OWNER : MACHINE_OF;
  return { ...expiring(token), userId: `${owner}${token.userId}` };
};

export type PersonalTokens = ReturnType<typeof dynamoPersonalTokens>;
