import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { claimUpdate, expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import { commandLineCodeKey } from '../../platform/dynamodb/keys.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { type Fingerprint, FingerprintText } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';

/** What a browser takes to the command line that waits for it. */
export interface CommandLineCode {
  /** Of the browser, which vouches for it as long as it lives. */
  readonly session: Fingerprint;
  /** Of the program that alone may spend it. */
  readonly challenge: string;
  readonly expiresAt: EpochSeconds;
}

const Item = z.pipe(
  z.object({
    session: FingerprintText,
    challenge: z.string(),
    expiresAt: z.int(),
    claimedBy: z.exactOptional(z.string()),
  }),
  z.transform(({ claimedBy, ...code }) => ({ isClaimed: claimedBy !== undefined, code })),
);

/** One-time codes, by their fingerprint. One that was spent is not found again. */
export const dynamoCommandLineCodes = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Pick<Random, 'id'>,
) => {
  const items = itemsOf(dynamo, TableName, commandLineCodeKey, Item);
  return {
    put: async (id: Fingerprint, code: CommandLineCode): Promise<void> => {
      await items.put(id, expiring(code));
    },

    /** Not once it was spent. */
    find: async (id: Fingerprint): Promise<CommandLineCode | undefined> => {
      const found = await items.find(id);
      return found?.isClaimed ? undefined : found?.code;
    },

    /** To be committed with the session that it buys. It holds for exactly one of any number of callers. */
    spending: (id: Fingerprint): Write => items.changing(id, claimUpdate(random.id())),
  };
};

export type CommandLineCodes = ReturnType<typeof dynamoCommandLineCodes>;
