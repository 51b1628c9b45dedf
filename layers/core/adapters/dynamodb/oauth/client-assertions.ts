import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { fingerprint } from '../../../domain/fingerprint.ts';
import type { ClientAssertions, Random } from '../../../ports.ts';
import { clientAssertionKey } from '../keys.ts';
import { ABSENT, expiring, itemsOf } from '../table/items.ts';

const Item = z.object({ usedBy: z.string(), expiresAt: z.int() });

/** Assertions that were used, by client and `jti`, as long as their age does not refuse them. */
export const dynamoClientAssertions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
): ClientAssertions => {
  const items = itemsOf(dynamo, TableName, clientAssertionKey, Item);

  return {
    use: ({ clientId, jti, endsAt }) =>
      items.put(
        // In JSON, so that no two pairs read alike.
        fingerprint(JSON.stringify([clientId, jti])),
        // The item names our own request: its repetition by the SDK is no replay, and any other is.
        expiring({ usedBy: random.id(), expiresAt: endsAt }),
        ABSENT,
      ),
  };
};
