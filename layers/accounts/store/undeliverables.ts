import { exactly } from '../../platform/rules/shape.ts';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Undeliverable } from '../rules/undeliverable.ts';
import { undeliverableKey } from '../../platform/dynamodb/keys.ts';
import { ABSENT, itemsOf } from '../../platform/dynamodb/items.ts';

const Item = exactly<Undeliverable>()(
  z.object({
    reason: z.enum(['bounce', 'complaint']),
    since: z.int(),
  }),
);

/** Addresses that are not written to any more, by their hashes. */
export const dynamoUndeliverables = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, undeliverableKey, Item);
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
