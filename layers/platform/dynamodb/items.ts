import { isDeepStrictEqual } from 'node:util';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { DAY, type EpochSeconds } from '../rules/time.ts';
import { undefinedUnlessMet } from './faults.ts';
import { getItem } from './get-item.ts';
import type { PartitionKey } from './keys.ts';
import { parseItem } from './parse-item.ts';

type Attributes = Readonly<Record<string, unknown>>;
type Condition = Pick<UpdateCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;
type Change = Condition & Pick<UpdateCommandInput, 'UpdateExpression' | 'ExpressionAttributeNames'>;

export const ABSENT: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };
export const PRESENT: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/**
 * The items of one kind in a table without sort keys. Whether what they hold has
 * expired is for the domain to say: reads are strongly consistent and return it all the same.
 *
 * @throws Fault from every method when the store is down, and when an item does not have its form
 */
export const itemsOf = <Schema extends z.ZodMiniType, Id = string>(
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  keyOf: (id: Id) => PartitionKey,
  schema: Schema,
) => {
  const read = (id: Id): Promise<Attributes | undefined> => getItem(dynamo, TableName, keyOf(id));

  return {
    find: async (id: Id): Promise<z.output<Schema> | undefined> => {
      const item = await read(id);
      return item && parseItem(schema, item, keyOf(id).pk);
    },

    /** Writes the whole item. @returns false if the condition does not hold */
    put: async (id: Id, attributes: object, condition: Condition = {}): Promise<boolean> => {
      const Item = { ...keyOf(id), ...defined(attributes) };
      const written = await dynamo
        .send(new PutCommand({ TableName, Item, ...condition }))
        .catch(undefinedUnlessMet);
      // The SDK repeats a write whose answer was lost; the repetition then fails on our own item.
      return written !== undefined || isDeepStrictEqual(await read(id), Item);
    },

    /** @returns the item as it is then; undefined if the condition does not hold */
    update: async (id: Id, change: Change): Promise<z.output<Schema> | undefined> => {
      const Key = keyOf(id);
      const updated = await dynamo
        .send(new UpdateCommand({ TableName, Key, ...change, ReturnValues: 'ALL_NEW' }))
        .catch(undefinedUnlessMet);
      return updated && parseItem(schema, updated.Attributes, Key.pk);
    },

    /** Does nothing if there is no such item, or the condition does not hold. */
    remove: async (id: Id, condition: Condition = {}): Promise<void> => {
      await dynamo
        .send(new DeleteCommand({ TableName, Key: keyOf(id), ...condition }))
        .catch(undefinedUnlessMet);
    },
  };
};

/**
 * A record that ends, as an item: DynamoDB may delete it a day later, when it does not count any more on
 * any clock.
 */
export const expiring = <Item extends { readonly expiresAt: EpochSeconds }>(record: Item) => ({
  ...record,
  deleteAfter: record.expiresAt + DAY,
});

const defined = (attributes: object): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
