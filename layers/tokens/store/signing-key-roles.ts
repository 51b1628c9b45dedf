import { exactly } from '../../platform/rules/shape.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  firstRoles,
  type SigningKeyRegister,
  type SigningKeyRoles,
} from '../rules/signing-keys.ts';
import { signingKeysKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, itemsOf } from '../../platform/dynamodb/items.ts';

const keyId = z.string().check(z.minLength(1));

const Item = exactly<SigningKeyRoles>()(
  z.object({
    current: keyId,
    next: z.exactOptional(z.object({ keyId, publishedAt: z.int() })),
    former: z.array(z.object({ keyId, endsAt: z.int() })),
    revision: z.int(),
  }),
);

/**
 * The one item that says which key signs. Until there is one, it is the first that is configured.
 *
 * @param keyIds - all that are configured
 */
export const dynamoSigningKeyRoles = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  keyIds: readonly string[],
): SigningKeyRegister => {
  const items = itemsOf(dynamo, TableName, signingKeysKey, Item);

  return {
    keyIds,

    roles: async () => (await items.find('')) ?? firstRoles(keyIds),

    replace: (roles) =>
      items.put(
        '',
        roles,
        roles.revision === 1
          ? ABSENT
          : {
              ConditionExpression: 'revision = :previous',
              ExpressionAttributeValues: { ':previous': roles.revision - 1 },
            },
      ),
  };
};
