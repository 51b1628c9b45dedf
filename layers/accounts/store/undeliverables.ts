import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Undeliverable } from '../rules/undeliverable.ts';
import { undeliverableKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, itemsOf } from '../../platform/dynamodb/items.ts';

/** Addresses that get no more mails, by hash. Source: docs/decisions/accounts.md, "Bounces and complaints". */
export const dynamoUndeliverables = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, undeliverableKey, Undeliverable);
  return {
    find: items.find,
    /** @returns false if the address was stored before; its record stays */
    put: (email: string, record: Undeliverable): Promise<boolean> =>
      items.put(email, record, ABSENT),
    remove: (email: string): Promise<void> => items.remove(email),
  };
};

export type Undeliverables = ReturnType<typeof dynamoUndeliverables>;
