import { isDeepStrictEqual } from 'node:util';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { DAY, type EpochSeconds } from '../../domain/time.ts';
import { dynamoFault, undefinedUnlessMet } from './faults.ts';
import { stored } from './stored.ts';

type Attributes = Readonly<Record<string, unknown>>;
type Condition = Pick<UpdateCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;
type Change = Condition & Pick<UpdateCommandInput, 'UpdateExpression' | 'ExpressionAttributeNames'>;

/** DynamoDB's. */
const MAX_KEY_BYTES = 2048;

export const ABSENT: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };
export const PRESENT: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/**
 * The items of one kind, under `KIND#id`, in a table without sort keys. Whether what they hold has
 * expired is for the domain to say: reads are strongly consistent and return it all the same.
 *
 * @throws Fault from every method when the store is down, and when an item does not have its form
 */
export const itemsOf = <Schema extends z.ZodMiniType>(
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  kind: string,
  schema: Schema,
) => {
  const keyOf = (id: string) => ({ pk: `${kind}#${id}` });

  const read = async (id: string): Promise<Attributes | undefined> => {
    const Key = keyOf(id);
    // Some ids are what a stranger sent: no item has so long a key, and to ask for one is an error.
    if (Buffer.byteLength(Key.pk) > MAX_KEY_BYTES) return undefined;
    const found = await dynamo
      .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
      .catch(dynamoFault);
    return found.Item;
  };

  return {
    find: async (id: string): Promise<z.output<Schema> | undefined> => {
      const item = await read(id);
      return item && stored(schema, item, keyOf(id).pk);
    },

    /** Writes the whole item. @returns false if the condition does not hold */
    put: async (
      id: string,
      attributes: Attributes,
      condition: Condition = {},
    ): Promise<boolean> => {
      const Item = { ...keyOf(id), ...defined(attributes) };
      const written = await dynamo
        .send(new PutCommand({ TableName, Item, ...condition }))
        .catch(undefinedUnlessMet);
      // The SDK repeats a write whose answer was lost; the repetition then fails on our own item.
      return written !== undefined || isDeepStrictEqual(await read(id), Item);
    },

    /** @returns the item as it is then; undefined if the condition does not hold */
    update: async (id: string, change: Change): Promise<z.output<Schema> | undefined> => {
      const Key = keyOf(id);
      const updated = await dynamo
        .send(new UpdateCommand({ TableName, Key, ...change, ReturnValues: 'ALL_NEW' }))
        .catch(undefinedUnlessMet);
      return updated && stored(schema, updated.Attributes, Key.pk);
    },

    /** Does nothing if there is no such item, or the condition does not hold. */
    remove: async (id: string, condition: Condition = {}): Promise<void> => {
      await dynamo
        .send(new DeleteCommand({ TableName, Key: keyOf(id), ...condition }))
        .catch(undefinedUnlessMet);
    },
  };
};

/** `expires_at` is when DynamoDB may sweep the item, which must not happen while it still counts. */
export const lifetime = (expiresAt: EpochSeconds) => ({
  valid_until: expiresAt,
  expires_at: expiresAt + DAY,
});

const defined = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
