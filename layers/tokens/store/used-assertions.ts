import { assertionKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, expiring } from '../../platform/dynamodb/items.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';

/**
 * Marks an assertion as used; committed together with what it buys. The condition lets exactly one request pass.
 * @param assertion - unique per assertion
 * @param expiresAt - when the assertion has expired in any case
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

/** Used tokens by which machines signed in, by issuer and the token's identity; each is accepted once. */
export const dynamoUsedMachineTokens = (TableName: string, random: Random) => ({
  /** Committed together with the session. The condition lets exactly one request pass, until the token has expired. */
  spending: (issuer: string, token: string, endsAt: EpochSeconds): Write =>
    // The prefix `machine` keeps it apart from assertions, whose first member is an issuer or client id.
    spendingAssertion(
      TableName,
      random,
      fingerprint(JSON.stringify(['machine', issuer, token])),
      endsAt,
    ),
});

export type UsedMachineTokens = ReturnType<typeof dynamoUsedMachineTokens>;
