import type { ClientAssertion } from '../rules/clients/client-assertion.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { Random } from '../../platform/system/random.ts';
import { assertionKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, expiring, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.object({ usedBy: z.string(), expiresAt: z.int() });

/** Assertions that were used, by client and `jti`, as long as their age does not refuse them. */
export const dynamoClientAssertions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => {
  const use = usedAssertions(dynamo, TableName, random);
  return {
    // In JSON, so that no two pairs read alike.
    /** @returns true for exactly one request, until the assertion has ended */
    use: ({ clientId, jti, endsAt }: ClientAssertion): Promise<boolean> =>
      use(fingerprint(JSON.stringify([clientId, jti])), endsAt),
  };
};

/** Assertions that clients have signed, each of which is good once. Source: RFC 7523 §3, item 7. */
export type ClientAssertions = ReturnType<typeof dynamoClientAssertions>;

/** Marks an assertion as used. @returns true for exactly one request */
export const usedAssertions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
): ((assertion: Fingerprint, expiresAt: EpochSeconds) => Promise<boolean>) => {
  const items = itemsOf(dynamo, TableName, assertionKey, Item);
  return (assertion, expiresAt) =>
    // The item names our own request: its repetition by the SDK is no replay, and any other is.
    items.put(assertion, expiring({ usedBy: random.id(), expiresAt }), ABSENT);
};

/**
 * Tokens that machines have signed in by, each of which is good once: by issuer, and by what tells a token from all
 * others of it.
 */
export const dynamoUsedMachineTokens = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => {
  const use = usedAssertions(dynamo, TableName, random);
  return {
    /** @returns true for exactly one request, until the token has ended */
    use: (issuer: string, token: string, endsAt: EpochSeconds): Promise<boolean> =>
      // In JSON, and with a word that no issuer is, so that it reads like no assertion.
      use(fingerprint(JSON.stringify(['machine', issuer, token])), endsAt),
  };
};

export type UsedMachineTokens = ReturnType<typeof dynamoUsedMachineTokens>;
