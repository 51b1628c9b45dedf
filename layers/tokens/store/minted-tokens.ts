import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MintedToken } from '../rules/oauth-records.ts';
import { mintedTokenKey } from '../../platform/dynamodb/keys.ts';
import { assigning, expiring, itemsOf, parseItem, PRESENT } from '../../platform/dynamodb/items.ts';
import { indexPage } from './index-page.ts';

/** Records of minted JWTs by `jti`; the JWTs themselves are not stored. */
export const dynamoMintedTokens = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, mintedTokenKey, MintedToken);

  return {
    find: items.find,

    put: async (token: MintedToken): Promise<void> => {
      await items.put(token.jti, expiring(token));
    },

    revoke: async (jti: string): Promise<void> => {
      await items.update(jti, assigning({ revoked: true }, PRESENT));
    },

    /** The newest first, also revoked and expired ones. Eventually consistent. */
    page: (deploymentId: string, query: PageQuery): Promise<Page<MintedToken>> =>
      indexPage(dynamo, { TableName, keyOf: mintedTokenKey, of: { deploymentId } }, query, (item) =>
        parseItem(MintedToken, item, 'a minted token'),
      ),
  };
};

/** Source: docs/decisions/oauth.md, "Tokens of mode jwt". */
export type MintedTokens = ReturnType<typeof dynamoMintedTokens>;
