import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { firstRoles, type SigningKeyRegister, SigningKeyRoles } from '../rules/signing-keys.ts';
import { signingKeysKey } from '../../platform/dynamodb/keys.ts';
import { follows, itemsOf } from '../../platform/dynamodb/items.ts';

/** One item; while there is none, the first configured key signs. @param keyIds - all configured keys */
export const dynamoSigningKeyRoles = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  keyIds: readonly string[],
): SigningKeyRegister => {
  const items = itemsOf(dynamo, TableName, signingKeysKey, SigningKeyRoles);

  return {
    keyIds,

    roles: async () => (await items.find('')) ?? firstRoles(keyIds),

    replace: (roles) => items.put('', roles, follows(roles.revision)),
  };
};
