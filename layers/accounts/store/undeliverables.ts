import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Undeliverable } from '../rules/undeliverable.ts';
import { undeliverableKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, itemsOf } from '../../platform/dynamodb/items.ts';

/** Addresses that are not written to any more, by their hashes. */
export const dynamoUndeliverables = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, undeliverableKey, Undeliverable);
  return {
    find: items.find,
    /** @returns false if it was there already, and nothing is changed */
    put: (email: string, record: Undeliverable): Promise<boolean> =>
      items.put(email, record, ABSENT),
    /** Also if it is not there. */
    remove: (email: string): Promise<void> => items.remove(email),
  };
};

/**
 * Addresses that are not written to any more. Source: docs/decisions/accounts.md, "Bounces and
 * complaints".
 */
export type Undeliverables = ReturnType<typeof dynamoUndeliverables>;
