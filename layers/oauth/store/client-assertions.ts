import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ClientAssertions, Random } from '../../ports.ts';
import { assertionKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, expiring, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.object({ usedBy: z.string(), expiresAt: z.int() });

/** Assertions that were used, by client and `jti`, as long as their age does not refuse them. */
export const dynamoClientAssertions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
): ClientAssertions => {
  const use = usedAssertions(dynamo, TableName, random);
  return {
    // In JSON, so that no two pairs read alike.
    use: ({ clientId, jti, endsAt }) => use(fingerprint(JSON.stringify([clientId, jti])), endsAt),
  };
};

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
