import { type Fingerprint, FingerprintText } from '../../platform/rules/fingerprint.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ConsoleLink } from '../rules/user.ts';
import type { Random } from '../../platform/system/random.ts';
import { consoleLinkKey } from '../../platform/dynamodb/keys.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { claimUpdate, expiring, type Fields, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.pipe(
  z.object({
    session: FingerprintText,
    expiresAt: z.int(),
    claimedBy: z.exactOptional(z.string()),
  } satisfies Fields<ConsoleLink & { claimedBy: string }>),
  z.transform(({ claimedBy, ...link }) => ({ isClaimed: claimedBy !== undefined, link })),
);

/** One-time links to the console, by the fingerprint of their secret; spent ones are not found. */
export const dynamoConsoleLinks = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => {
  const items = itemsOf(dynamo, TableName, consoleLinkKey, Item);

  return {
    put: async (id: Fingerprint, link: ConsoleLink): Promise<void> => {
      await items.put(id, expiring(link));
    },

    find: async (id: Fingerprint): Promise<ConsoleLink | undefined> => {
      const found = await items.find(id);
      return found?.isClaimed ? undefined : found?.link;
    },

    /** Write that spends the link, for a transaction; it succeeds for one of any number of callers. */
    spending: (id: Fingerprint): Write => items.changing(id, claimUpdate(random.id())),
  };
};

export type ConsoleLinks = ReturnType<typeof dynamoConsoleLinks>;
