import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { cached } from '../../platform/cache/cache.ts';
import { subjectCache } from '../../platform/cache/subject-cache.ts';
import { signOutKey } from '../../platform/dynamodb/keys.ts';
import { itemsOf } from '../../platform/dynamodb/items.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { User } from '../rules/user.ts';
import { NOT_BEFORE_CACHE_SECONDS } from '../../tokens/rules/not-before.ts';

const Item = z.object({ signedOutAt: z.int(), sessionsEndedAt: z.exactOptional(z.int()) });

const MOST_REMEMBERED = 10_000;

/** Users signed out everywhere lately, for functions that must not read users. `dynamoUsers` writes the items. */
export const dynamoSignOuts = (dynamo: DynamoDBDocumentClient, TableName: string, clock: Clock) => {
  const items = itemsOf(dynamo, TableName, signOutKey, Item);
  const remembered = cached<EpochSeconds>(clock, {
    keepSeconds: () => NOT_BEFORE_CACHE_SECONDS,
    weigh: () => 1,
    maxWeight: MOST_REMEMBERED,
  });
  const holders = subjectCache<string>();

  /** `signedOutAt` of a user, stored while anything older could still be valid; 0: not signed out. */
  const find = async (userId: string): Promise<EpochSeconds> =>
    (await items.find(userId))?.signedOutAt ?? 0;
  const recall = (userId: string): Promise<EpochSeconds> => remembered(userId, () => find(userId));

  return {
    find,

    /** Times that can end sessions, as `isSessionOver` reads them. */
    findEnds: async (userId: string): Promise<Pick<User, 'sessionsEndedAt' | 'signedOutAt'>> =>
      (await items.find(userId)) ?? { signedOutAt: 0 },

    /** Cached `find`, at most 15 seconds old. `signedOutAt` never decreases, so refusals are final. */
    recall,

    /** `recall` for the holder of a token, remembered for `expectHolder`. */
    recallHolder: (token: Fingerprint, userId: string): Promise<EpochSeconds> => {
      holders.set(token, userId);
      return recall(userId);
    },

    /** Starts the read in parallel with that of the token, if its holder is remembered: both take one round trip. */
    expectHolder: (token: Fingerprint): void => {
      const userId = holders.get(token);
      // The later caller shares this promise and gets its failure.
      if (userId !== undefined) recall(userId).catch(() => undefined);
    },
  };
};

export type SignOuts = ReturnType<typeof dynamoSignOuts>;
