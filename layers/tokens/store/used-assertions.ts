import { assertionKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, expiring } from '../../platform/dynamodb/items.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';

/**
 * Marks an assertion as used, to be committed with what it buys. It holds for exactly one request.
 *
 * @param assertion - stands for it alone
 * @param expiresAt - when its age refuses it in any case
 */
export const spendingAssertion = (
  TableName: string,
  random: Random,
  assertion: Fingerprint,
  expiresAt: EpochSeconds,
): Write => ({
  Put: {
    TableName,
    Item: { ...assertionKey(assertion), ...expiring({ usedBy: random.id(), expiresAt }) },
    ...ABSENT,
  },
});

/**
 * Tokens that machines have signed in by, each of which is good once: by issuer, and by what tells a token from all
 * others of it.
 */
export const dynamoUsedMachineTokens = (TableName: string, random: Random) => ({
  /** To be committed with the session that it buys. It holds for exactly one request, until the token has ended. */
  spending: (issuer: string, token: string, endsAt: EpochSeconds): Write =>
    // In JSON, and with a word that no issuer is, so that it reads like no assertion.
    spendingAssertion(
      TableName,
      random,
      fingerprint(JSON.stringify(['machine', issuer, token])),
      endsAt,
    ),
});

export type UsedMachineTokens = ReturnType<typeof dynamoUsedMachineTokens>;
