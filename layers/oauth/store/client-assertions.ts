import type { ClientAssertion } from '../rules/clients/client-assertion.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import type { Random } from '../../platform/system/random.ts';
import { assertionKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, expiring, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = z.object({ usedBy: z.string(), expiresAt: z.int() });

/** Used client assertions by client and `jti`, kept until they expire. */
export const dynamoClientAssertions = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  random: Random,
) => {
  const items = itemsOf(dynamo, TableName, assertionKey, Item);
  return {
    /**
     * Marks an assertion as used before it is known whether the request succeeds: clients sign a new one for each
     * request.
     * @returns true for exactly one request per assertion
     */
    use: ({ clientId, jti, endsAt: expiresAt }: ClientAssertion): Promise<boolean> =>
      items.put(
        // JSON keeps client and `jti` apart unambiguously.
        fingerprint(JSON.stringify([clientId, jti])),
        // `usedBy` names this request: a retry by the SDK passes, any other request is a replay.
        expiring({ usedBy: random.id(), expiresAt }),
        ABSENT,
      ),
  };
};

/** Source: RFC 7523 §3, `jti`. */
export type ClientAssertions = ReturnType<typeof dynamoClientAssertions>;
