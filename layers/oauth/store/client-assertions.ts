import type { ClientAssertion } from '../rules/clients/client-assertion.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
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
