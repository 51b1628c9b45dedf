import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Undeliverable } from '../rules/undeliverable.ts';
import type { Undeliverables } from '../../ports.ts';
import { undeliverableKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, itemsOf } from '../../platform/dynamodb/items.ts';
import type { Fields } from '../../platform/dynamodb/parse-item.ts';

const Item = z.object({
  reason: z.enum(['bounce', 'complaint']),
  since: z.int(),
} satisfies Fields<Undeliverable>);

/** Addresses that are not written to any more, by their hashes. */
export const dynamoUndeliverables = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
): Undeliverables => {
  const items = itemsOf(dynamo, TableName, undeliverableKey, Item);
  return {
    find: items.find,
    put: (email, record) => items.put(email, record, ABSENT),
    remove: (email) => items.remove(email),
  };
};
