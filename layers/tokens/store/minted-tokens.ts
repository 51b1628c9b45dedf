import { exactly } from '../../platform/rules/shape.ts';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { TOOL_SCOPES } from '../rules/authorization.ts';
import type { MintedToken } from '../rules/oauth-records.ts';
import { mintedTokenKey } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf, parseItem, PRESENT } from '../../platform/dynamodb/items.ts';
import { indexPage } from './index-page.ts';

const Item = exactly<MintedToken>()(
  z.object({
    jti: z.string().check(z.minLength(1)),
    deploymentId: z.string().check(z.minLength(1)),
    name: z.exactOptional(z.string()),
    scopes: z.array(z.enum(TOOL_SCOPES)),
    createdAt: z.int(),
    expiresAt: z.int(),
    revoked: z.boolean(),
    ownKey: z.exactOptional(z.literal(true)),
    minterSignedOutAt: z.exactOptional(z.int()),
  }),
);

/** Minted JWTs by their `jti`; the JWTs themselves are kept nowhere. */
export const dynamoMintedTokens = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, mintedTokenKey, Item);

  return {
    find: items.find,

    put: async (token: MintedToken): Promise<void> => {
      await items.put(token.jti, expiring(token));
    },

    revoke: async (jti: string): Promise<void> => {
      await items.update(jti, {
        ...PRESENT,
        UpdateExpression: 'SET revoked = :true',
        ExpressionAttributeValues: { ':true': true },
      });
    },

    /** The newest first, those that were revoked or have expired as well. May lag behind a moment. */
    page: (deploymentId: string, query: PageQuery): Promise<Page<MintedToken>> =>
      indexPage(dynamo, { TableName, keyOf: mintedTokenKey, of: { deploymentId } }, query, (item) =>
        parseItem(Item, item, 'a minted token'),
      ),
  };
};

/**
 * JWTs that the service minted for a `jwt` deployment.
 * Source: docs/decisions/oauth.md, "Tokens of mode jwt".
 */
export type MintedTokens = ReturnType<typeof dynamoMintedTokens>;
