import { type Fingerprint, FingerprintText } from '../../platform/rules/fingerprint.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ConsoleLink } from '../rules/user.ts';
import type { Random } from '../../platform/system/random.ts';
import { consoleLinkKey } from '../../platform/dynamodb/keys.ts';
import { claimUpdate, expiring, type Fields, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.pipe(
  z.object({
    session: FingerprintText,
    expiresAt: z.int(),
    claimedBy: z.exactOptional(z.string()),
  } satisfies Fields<ConsoleLink & { claimedBy: string }>),
  z.transform(({ claimedBy, ...link }) => ({ isClaimed: claimedBy !== undefined, link })),
);

/** One-time links to the console. One that was taken is not found again. */
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

    /** Not once it was taken. */
    find: async (id: Fingerprint): Promise<ConsoleLink | undefined> => {
      const found = await items.find(id);
      return found?.isClaimed ? undefined : found?.link;
    },

    /** @returns true for exactly one of any number of callers: whoever may use the link */
    take: async (id: Fingerprint): Promise<boolean> =>
      (await items.update(id, claimUpdate(random.id()))) !== undefined,
  };
};

/** One-time links, by the fingerprint of their secret. */
export type ConsoleLinks = ReturnType<typeof dynamoConsoleLinks>;
