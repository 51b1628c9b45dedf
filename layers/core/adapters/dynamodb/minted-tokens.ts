import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { TOOL_SCOPES } from '../../domain/tool-scopes.ts';
import type { MintedToken, MintedTokens } from '../../ports.ts';
import { itemsOf, lifetime, PRESENT } from './items.ts';
import { pageOfBelonging } from './belonging-items.ts';
import { stored } from './stored.ts';

const Item = z.pipe(
  z.object({
    jti: z.string().check(z.minLength(1)),
    deployment_id: z.string().check(z.minLength(1)),
    name: z.exactOptional(z.string()),
    // Items from before there was a list have neither, and are in no list.
    scopes: z._default(z.array(z.enum(TOOL_SCOPES)), [...TOOL_SCOPES]),
    created_at: z._default(z.int(), 0),
    valid_until: z.int(),
    revoked: z.boolean(),
  }),
  z.transform((item): MintedToken => ({
    jti: item.jti,
    deploymentId: item.deployment_id,
    ...(item.name !== undefined && { name: item.name }),
    scopes: item.scopes,
    createdAt: item.created_at,
    expiresAt: item.valid_until,
    revoked: item.revoked,
  })),
);

/** Minted JWTs by their `jti`; the JWTs themselves are kept nowhere. */
export const dynamoMintedTokens = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): MintedTokens => {
  const items = itemsOf(dynamo, TableName, 'JTI', Item);

  return {
    find: items.find,

    put: async (token) => {
      await items.put(token.jti, {
        jti: token.jti,
        deployment_id: token.deploymentId,
        name: token.name,
        scopes: token.scopes,
        created_at: token.createdAt,
        revoked: token.revoked,
        ...lifetime(token.expiresAt),
      });
    },

    revoke: async (jti) => {
      await items.update(jti, {
        ...PRESENT,
        UpdateExpression: 'SET revoked = :true',
        ExpressionAttributeValues: { ':true': true },
      });
    },

    page: (deploymentId, query) =>
      pageOfBelonging(
        dynamo,
        TableName,
        'JTI',
        { to: 'deployment', id: deploymentId },
        query,
        (item) => stored(Item, item, 'a minted token'),
      ),
  };
};
