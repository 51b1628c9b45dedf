import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { AccessToken, type AccessTokenRef } from '../rules/oauth-records.ts';
import { DAY } from '../../platform/rules/time.ts';
import { accessTokenKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, assigning, expiring, itemsOf, PRESENT } from '../../platform/dynamodb/items.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';

/** Marks a token that was revoked before it was stored. */
const Revocation = z.pipe(
  z.object({ revoked: z.literal(true) }),
  z.transform(() => undefined),
);

const accessTokenItems = (dynamo: DynamoDBDocumentClient, TableName: string) =>
  itemsOf(dynamo, TableName, accessTokenKey, z.union([AccessToken, Revocation]));

/** Each item holds all that a request with the token needs of this table. */
export const dynamoAccessTokens = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = accessTokenItems(dynamo, TableName);

  return {
    find: items.find,

    /** @returns false if it was revoked before it was stored */
    put: (token: Fingerprint, record: AccessToken): Promise<boolean> =>
      items.put(token, expiring(record), ABSENT),

    /** Committed together with the grant. */
    storing: (token: Fingerprint, record: AccessToken): Write =>
      items.storing(token, expiring(record), ABSENT),

    revoke: async (token: Fingerprint): Promise<void> => {
      await items.update(token, assigning({ revoked: true }, PRESENT));
    },
  };
};

export type AccessTokens = ReturnType<typeof dynamoAccessTokens>;

/** Revokes a token, stored or not: storing it afterwards is refused. */
export const accessTokenRevoker = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = accessTokenItems(dynamo, TableName);
  return async ({ fingerprint, expiresAt }: AccessTokenRef): Promise<void> => {
    await items.update(fingerprint, {
      UpdateExpression:
        'SET revoked = :true, deleteAfter = if_not_exists(deleteAfter, :deleteAfter)',
      ExpressionAttributeValues: { ':true': true, ':deleteAfter': expiresAt + DAY },
    });
  };
};
