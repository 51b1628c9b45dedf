import type { ClientAssertion } from '../rules/clients/client-assertion.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';
import { assertionKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';

const Item = z.object({ usedBy: z.string(), expiresAt: z.int() });

/** Assertions that were used, by client and `jti`, as long as their age does not refuse them. */
export const dynamoClientAssertions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => {
  const items = itemsOf(dynamo, TableName, assertionKey, Item);
  return {
    /**
     * Before what it buys is known: its client signs another one at will, as clients do with each request.
     *
     * @returns true for exactly one request, until the assertion has ended
     */
    use: ({ clientId, jti, endsAt: expiresAt }: ClientAssertion): Promise<boolean> =>
      items.put(
        // In JSON, so that no two pairs read alike.
        fingerprint(JSON.stringify([clientId, jti])),
        // The item names our own request: its repetition by the SDK is no replay, and any other is.
        expiring({ usedBy: random.id(), expiresAt }),
        ABSENT,
      ),
  };
};

/** Assertions that clients have signed, each of which is good once. Source: RFC 7523 §3, item 7. */
export type ClientAssertions = ReturnType<typeof dynamoClientAssertions>;

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
