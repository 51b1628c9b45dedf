import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { TOOL_SCOPES } from '../../openapi/tool-scopes.ts';
import type { MintedToken, MintedTokens } from '../../ports.ts';
import { mintedTokenKey } from '../../platform/dynamodb/keys.ts';
import { expiring, itemsOf, PRESENT } from '../../platform/dynamodb/items.ts';
import { type Fields, parseItem } from '../../platform/dynamodb/parse-item.ts';
import { indexPage } from './index-page.ts';

const Item = z.object({
  jti: z.string().check(z.minLength(1)),
  deploymentId: z.string().check(z.minLength(1)),
  name: z.exactOptional(z.string()),
  scopes: z.array(z.enum(TOOL_SCOPES)),
  createdAt: z.int(),
  expiresAt: z.int(),
  revoked: z.boolean(),
  ownKey: z.exactOptional(z.literal(true)),
  minterSignedOutAt: z.exactOptional(z.int()),
} satisfies Fields<MintedToken>);

/** Minted JWTs by their `jti`; the JWTs themselves are kept nowhere. */
export const dynamoMintedTokens = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): MintedTokens => {
  const items = itemsOf(dynamo, TableName, mintedTokenKey, Item);

  return {
    find: items.find,

    put: async (token) => {
      await items.put(token.jti, expiring(token));
    },

    revoke: async (jti) => {
      await items.update(jti, {
        ...PRESENT,
        UpdateExpression: 'SET revoked = :true',
        ExpressionAttributeValues: { ':true': true },
      });
    },

    page: (deploymentId, query) =>
      indexPage(dynamo, { TableName, keyOf: mintedTokenKey, of: { deploymentId } }, query, (item) =>
        parseItem(Item, item, 'a minted token'),
      ),
  };
};
