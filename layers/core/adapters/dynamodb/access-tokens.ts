import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type AccessToken, SCOPES } from '../../domain/oauth/records.ts';
import { DAY } from '../../domain/time.ts';
import type { AccessTokens, NotedToken } from '../../ports.ts';
import { ABSENT, itemsOf, lifetime, PRESENT } from './items.ts';

const Token = z.pipe(
  z.object({
    grant_id: z.string(),
    user_id: z.string(),
    email: z.string(),
    plan: z.enum(['free', 'pro']),
    client_id: z.string(),
    deployment_id: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    valid_until: z.int(),
    revoked: z.boolean(),
  }),
  z.transform((item): AccessToken => ({
    grantId: item.grant_id,
    userId: item.user_id,
    email: item.email,
    plan: item.plan,
    clientId: item.client_id,
    deploymentId: item.deployment_id,
    scopes: item.scopes,
    expiresAt: item.valid_until,
    revoked: item.revoked,
  })),
);

/** Of a token that was revoked before it was stored: it will never be. */
const Revocation = z.pipe(
  z.object({ revoked: z.literal(true) }),
  z.transform(() => undefined),
);

const accessTokenItems = (dynamo: DynamoDBDocumentClient, TableName: string) =>
  itemsOf(dynamo, TableName, 'AT', z.union([Token, Revocation]));

/** Access tokens, whole: a request that shows one needs nothing else of the table. */
export const dynamoAccessTokens = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): AccessTokens => {
  const items = accessTokenItems(dynamo, TableName);

  return {
    find: items.find,

    put: (token, record) =>
      items.put(
        token,
        {
          grant_id: record.grantId,
          user_id: record.userId,
          email: record.email,
          plan: record.plan,
          client_id: record.clientId,
          deployment_id: record.deploymentId,
          scopes: record.scopes,
          revoked: record.revoked,
          ...lifetime(record.expiresAt),
        },
        ABSENT,
      ),

    revoke: async (token) => {
      await items.update(token, {
        ...PRESENT,
        UpdateExpression: 'SET revoked = :true',
        ExpressionAttributeValues: { ':true': true },
      });
    },
  };
};

/** Revokes a token whether or not it is stored yet: what is stored afterwards is refused. */
export const revokingAhead = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = accessTokenItems(dynamo, TableName);
  return async ({ fingerprint, expiresAt }: NotedToken): Promise<void> => {
    await items.update(fingerprint, {
      UpdateExpression: 'SET revoked = :true, expires_at = if_not_exists(expires_at, :expires)',
      ExpressionAttributeValues: { ':true': true, ':expires': expiresAt + DAY },
    });
  };
};
