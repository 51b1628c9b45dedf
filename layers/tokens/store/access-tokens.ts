import { exactly } from '../../platform/rules/shape.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type AccessToken, type AccessTokenRef, SCOPES } from '../rules/oauth-records.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import { DAY } from '../../platform/rules/time.ts';
import { accessTokenKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, expiring, itemsOf, PRESENT } from '../../platform/dynamodb/items.ts';

const Token = exactly<AccessToken>()(
  z.object({
    grantId: z.string(),
    userId: z.string(),
    email: z.string(),
    plan: z.enum(PLANS),
    clientId: z.string(),
    deploymentId: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    // Absent in tokens of versions that did not store it: such a one ends with the first command that ends tokens.
    grantedAt: z._default(z.int(), 0),
    expiresAt: z.int(),
    revoked: z.boolean(),
  }),
);

/** Of a token that was revoked before it was stored: it will never be. */
const Revocation = z.pipe(
  z.object({ revoked: z.literal(true) }),
  z.transform(() => undefined),
);

const accessTokenItems = (dynamo: DynamoDBDocumentClient, TableName: string) =>
  itemsOf(dynamo, TableName, accessTokenKey, z.union([Token, Revocation]));

/** Access tokens, each with all that a request which shows one needs of the table. */
export const dynamoAccessTokens = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = accessTokenItems(dynamo, TableName);

  return {
    find: items.find,

    /** @returns false if it was revoked before it was stored */
    put: (token: Fingerprint, record: AccessToken): Promise<boolean> =>
      items.put(token, expiring(record), ABSENT),

    revoke: async (token: Fingerprint): Promise<void> => {
      await items.update(token, {
        ...PRESENT,
        UpdateExpression: 'SET revoked = :true',
        ExpressionAttributeValues: { ':true': true },
      });
    },
  };
};

export type AccessTokens = ReturnType<typeof dynamoAccessTokens>;

/** Revokes a token whether or not it is stored yet: what is stored afterwards is refused. */
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
