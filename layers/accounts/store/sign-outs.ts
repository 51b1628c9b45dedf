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

/** Of how many users an instance remembers whether they were signed out. */
const MOST_REMEMBERED = 10_000;

/** The users that were signed out everywhere of late; `dynamoUsers` writes them. */
export const dynamoSignOuts = (dynamo: DynamoDBDocumentClient, TableName: string, clock: Clock) => {
  const items = itemsOf(dynamo, TableName, signOutKey, Item);
  const remembered = cached<EpochSeconds>(clock, {
    keepSeconds: () => NOT_BEFORE_CACHE_SECONDS,
    weigh: () => 1,
    maxWeight: MOST_REMEMBERED,
  });
  /** Whose the tokens were that were shown here. */
  const holders = subjectCache<string>();

  /** `signedOutAt` of a user, as long as anything from before it could still be valid; 0: was not. */
  const find = async (userId: string): Promise<EpochSeconds> =>
    (await items.find(userId))?.signedOutAt ?? 0;
  const recall = (userId: string): Promise<EpochSeconds> => remembered(userId, () => find(userId));

  return {
    find,

    /** The same with the end of sessions alone, as `isSessionOver` reads it. */
    findEnds: async (userId: string): Promise<Pick<User, 'sessionsEndedAt' | 'signedOutAt'>> =>
      (await items.find(userId)) ?? { signedOutAt: 0 },

    /**
     * The same, as it was 15 seconds ago at most, for what is asked at every call. It may refuse: a user is signed
     * out at a later moment, and never at an earlier one.
     */
    recall,

    /** The same of the holder of a token, who is known the next time that it is shown. */
    recallHolder: (token: Fingerprint, userId: string): Promise<EpochSeconds> => {
      holders.set(token, userId);
      return recall(userId);
    },

    /** Begins to read it while the token is read, where that was shown before: both take one trip. */
    expectHolder: (token: Fingerprint): void => {
      const userId = holders.get(token);
      // Whoever asks in a moment shares the trip, and gets the failure.
      if (userId !== undefined) recall(userId).catch(() => undefined);
    },
  };
};

/** What those who cannot read users know of them. */
export type SignOuts = ReturnType<typeof dynamoSignOuts>;
