import { isDeepStrictEqual } from 'node:util';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  paginateQuery,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  ScanCommand,
  type ScanCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  ConditionalCheckFailedException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { DAY, type EpochSeconds } from '../rules/time.ts';
import type { ItemKey, PartitionKey } from './keys.ts';
import type { Page, PageQuery } from '../rules/paging.ts';
import { Fault } from '../rules/fault.ts';
import { faultOf } from '../aws/access.ts';
import { pauseAfter, type Write } from './writes.ts';
import { parsedJson } from '../rules/json/parsed-json.ts';

type Attributes = Readonly<Record<string, unknown>>;
type Condition = Pick<UpdateCommandInput, 'ConditionExpression' | 'ExpressionAttributeValues'>;
type Change = Condition & Pick<UpdateCommandInput, 'UpdateExpression' | 'ExpressionAttributeNames'>;

export const ABSENT: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };
export const PRESENT: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/** Optimistic concurrency: the stored item has the revision before this one, and there is none before the first. */
export const follows = (revision: number): Condition =>
  revision === 1
    ? ABSENT
    : {
        ConditionExpression: 'revision = :previous',
        ExpressionAttributeValues: { ':previous': revision - 1 },
      };

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
  const itemOf = (id: Id, attributes: object) => ({ ...keyOf(id), ...defined(attributes) });

  return {
    find: async (id: Id): Promise<z.output<Schema> | undefined> => {
      const item = await read(id);
      return item && parseItem(schema, item, keyOf(id).pk);
    },

    /** Writes the whole item. @returns false if the condition does not hold */
    put: async (id: Id, attributes: object, condition: Condition = {}): Promise<boolean> => {
      const Item = itemOf(id, attributes);
      const written = await despiteTransactions(() =>
        dynamo.send(new PutCommand({ TableName, Item, ...condition })),
      ).catch(undefinedUnlessMet);
      // The SDK repeats a write whose answer was lost; the repetition then fails on our own item.
      return written !== undefined || isDeepStrictEqual(await read(id), Item);
    },

    /** The same, to be committed with others. */
    storing: (id: Id, attributes: object, condition: Condition = {}): Write => ({
      Put: { TableName, Item: itemOf(id, attributes), ...condition },
    }),

    /** An update, to be committed with others. */
    changing: (id: Id, change: Change & Required<Pick<Change, 'UpdateExpression'>>): Write => ({
      Update: { TableName, Key: keyOf(id), ...change },
    }),

    /** A removal, to be committed with others. Also if there is no such item. */
    removing: (id: Id): Write => ({ Delete: { TableName, Key: keyOf(id) } }),

    /** @returns the item as it is then; undefined if the condition does not hold */
    update: async (id: Id, change: Change): Promise<z.output<Schema> | undefined> => {
      const Key = keyOf(id);
      const updated = await despiteTransactions(() =>
        dynamo.send(new UpdateCommand({ TableName, Key, ...change, ReturnValues: 'ALL_NEW' })),
      ).catch(undefinedUnlessMet);
      return updated && parseItem(schema, updated.Attributes, Key.pk);
    },

    /** Does nothing if there is no such item, or the condition does not hold. */
    remove: async (id: Id, condition: Condition = {}): Promise<void> => {
      await despiteTransactions(() =>
        dynamo.send(new DeleteCommand({ TableName, Key: keyOf(id), ...condition })),
      ).catch(undefinedUnlessMet);
    },
  };
};

/**
 * The update by which attributes have these values; of `undefined` they are removed.
 *
 * @param condition - may name a value by its attribute: `:expiresAt`
 */
export const assigning = (
  attributes: Attributes,
  { ExpressionAttributeValues, ...condition }: Condition = {},
) => {
  const all = Object.entries(attributes);
  const set = all.filter(([, value]) => value !== undefined);
  const removed = all.filter(([, value]) => value === undefined);
  return {
    ...condition,
    UpdateExpression: [
      ...(set.length > 0 ? [`SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`] : []),
      ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
    ].join(' '),
    ExpressionAttributeNames: Object.fromEntries(all.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      ...ExpressionAttributeValues,
    },
  };
};

/** A write of a single item, tried again where a transaction is at work on the item, which DynamoDB refuses. */
const despiteTransactions = async <Written>(write: () => Promise<Written>): Promise<Written> => {
  for (let tries = 0; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof TransactionConflictException) || !(await pauseAfter(tries)))
        throw error;
    }
  }
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

/** Bytes that DynamoDB takes. */
const MOST = { pk: 2048, sk: 1024 } as const;

/**
 * Strongly consistent. Some keys are of what a stranger sent: no item has one that is too long, and to ask for
 * it is an error.
 *
 * @throws Fault
 */
export const getItem = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  Key: PartitionKey | ItemKey,
): Promise<Readonly<Record<string, unknown>> | undefined> => {
  const { pk, sk = '' } = { ...Key } as Partial<ItemKey> & PartitionKey;
  if (Buffer.byteLength(pk) > MOST.pk || Buffer.byteLength(sk) > MOST.sk) return undefined;
  const { Item } = await dynamo
    .send(new GetCommand({ TableName, Key, ConsistentRead: true }))
    .catch(dynamoFault);
  return Item;
};

/** What one request finds, a megabyte at most. @throws Fault */
export const queryPage = (
  dynamo: DynamoDBDocumentClient,
  query: QueryCommandInput,
): Promise<QueryCommandOutput> => dynamo.send(new QueryCommand(query)).catch(dynamoFault);

/** All items of a query, page after page. */
export const queryItems = async (
  dynamo: DynamoDBDocumentClient,
  query: QueryCommandInput,
): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const items: Record<string, unknown>[] = [];
  try {
    for await (const { Items } of paginateQuery({ client: dynamo }, query)) {
      items.push(...(Items ?? []));
    }
  } catch (cause) {
    dynamoFault(cause);
  }
  return items;
};

type Item = Readonly<Record<string, unknown>>;
type Filter = Pick<
  ScanCommandInput,
  'FilterExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/**
 * A part of a whole table without sort keys: for the maintenance function, which alone may.
 *
 * @param page - `limit` of the items that are read, before they are filtered; `after` is the partition key of
 *   the one before, which need not be there any more
 */
export const scanPage = async (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  filter: Filter,
  { limit, after }: PageQuery,
): Promise<Page<Item>> => {
  const { Items = [], LastEvaluatedKey } = await dynamo
    .send(
      new ScanCommand({
        TableName,
        ...filter,
        Limit: limit,
        ExclusiveStartKey: after === undefined ? undefined : { pk: after },
        ConsistentRead: true,
      }),
    )
    .catch(dynamoFault);
  return { items: Items, ...(LastEvaluatedKey && { next: String(LastEvaluatedKey['pk']) }) };
};

/**
 * The update by which one caller of any number claims an item. It names the caller, so that a
 * repetition after a lost answer is no second caller.
 *
 * @param claimant - unique to this call
 */
export const claimUpdate = (claimant: string) => ({
  UpdateExpression: 'SET claimedBy = :claimant',
  ConditionExpression:
    'attribute_exists(pk) AND (attribute_not_exists(claimedBy) OR claimedBy = :claimant)',
  ExpressionAttributeValues: { ':claimant': claimant },
});

/** One schema per field of a type, so that a field that joins the type cannot be forgotten. */
export type Fields<Type> = Record<keyof Type, z.ZodMiniType>;

/**
 * Reads a stored item, which is believed no more than any other input. Its keys, and what it holds for the
 * store's own sake, fall away.
 *
 * @param what - names the item in the Fault: `deployment weather`
 * @throws Fault if the item does not have its form
 */
export const parseItem = <Schema extends z.ZodMiniType>(
  schema: Schema,
  item: unknown,
  what: string,
): z.output<Schema> => {
  const read = z.safeParse(schema, item);
  if (!read.success) throw new Fault('dynamodb', `${what} is not readable`, read.error);
  return read.data;
};

/** Reads a stored item that is JSON text. @throws Fault */
export const parseJson = <Schema extends z.ZodMiniType>(
  schema: Schema,
  text: string,
  what: string,
): z.output<Schema> => {
  let parsed: unknown;
  try {
    parsed = parsedJson(text);
  } catch (cause) {
    throw new Fault('dynamodb', `${what} is not JSON`, cause);
  }
  return parseItem(schema, parsed, what);
};

export const dynamoFault = faultOf('dynamodb');

/** For conditional writes: `undefined` when the condition does not hold, a Fault for everything else. */
export const undefinedUnlessMet = (cause: unknown): undefined => {
  if (cause instanceof ConditionalCheckFailedException) return undefined;
  return dynamoFault(cause);
};
