import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { claimUpdate, expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import { commandLineCodeKey } from '../../platform/dynamodb/keys.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { type Fingerprint, FingerprintText } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';

export interface CommandLineCode {
  /** Session of the browser; the code is valid only while it lives. */
  readonly session: Fingerprint;
  /** S256 challenge of the program, which alone can spend the code. */
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

/** One-time codes by fingerprint; spent ones are not found. */
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

    find: async (id: Fingerprint): Promise<CommandLineCode | undefined> => {
      const found = await items.find(id);
      return found?.isClaimed ? undefined : found?.code;
    },

    /** Write that spends the code, for a transaction; it succeeds for one of any number of callers. */
    spending: (id: Fingerprint): Write => items.changing(id, claimUpdate(random.id())),
  };
};

export type CommandLineCodes = ReturnType<typeof dynamoCommandLineCodes>;
