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
 * Items of one kind in a table without sort keys. Reads are strongly consistent and return expired items, too: the
 * rules decide whether something has expired.
 * @throws Fault from every method when the store is down, and for an item that does not match the schema
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

    /** Writes the complete item. @returns false if the condition does not hold */
    put: async (id: Id, attributes: object, condition: Condition = {}): Promise<boolean> => {
      const Item = itemOf(id, attributes);
      const written = await despiteTransactions(() =>
        dynamo.send(new PutCommand({ TableName, Item, ...condition })),
      ).catch(undefinedUnlessMet);
      // The SDK retries a write whose answer was lost; the retry then fails on our own item.
      return written !== undefined || isDeepStrictEqual(await read(id), Item);
    },

    /** `put` as a write for a transaction. */
    storing: (id: Id, attributes: object, condition: Condition = {}): Write => ({
      Put: { TableName, Item: itemOf(id, attributes), ...condition },
    }),

    /** An update as a write for a transaction. */
    changing: (id: Id, change: Change & Required<Pick<Change, 'UpdateExpression'>>): Write => ({
      Update: { TableName, Key: keyOf(id), ...change },
    }),

    /** A removal as a write for a transaction; succeeds also without such an item. */
    removing: (id: Id): Write => ({ Delete: { TableName, Key: keyOf(id) } }),

    /** @returns the updated item; undefined if the condition does not hold */
    update: async (id: Id, change: Change): Promise<z.output<Schema> | undefined> => {
      const Key = keyOf(id);
      const updated = await despiteTransactions(() =>
        dynamo.send(new UpdateCommand({ TableName, Key, ...change, ReturnValues: 'ALL_NEW' })),
      ).catch(undefinedUnlessMet);
      return updated && parseItem(schema, updated.Attributes, Key.pk);
    },

    /** Does nothing without such an item, or if the condition does not hold. */
    remove: async (id: Id, condition: Condition = {}): Promise<void> => {
      await despiteTransactions(() =>
        dynamo.send(new DeleteCommand({ TableName, Key: keyOf(id), ...condition })),
      ).catch(undefinedUnlessMet);
    },
  };
};

/** Sets attributes, removes `undefined` ones. @param condition - may use a new value by its attribute: `:expiresAt` */
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

/** Retries a write that DynamoDB refuses while a transaction works on the same item. */
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

/** Adds the time to live: DynamoDB may delete the item a day after `expiresAt`, when it has expired by any clock. */
export const expiring = <Item extends { readonly expiresAt: EpochSeconds }>(record: Item) => ({
  ...record,
  deleteAfter: record.expiresAt + DAY,
});

const defined = (attributes: object): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));

/** Key size limits of DynamoDB, in bytes. */
const MOST = { pk: 2048, sk: 1024 } as const;

/**
 * Strongly consistent read. Keys may contain text from strangers: for one that is too long, no item exists, and
 * DynamoDB would answer with an error.
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

/** One page of a query, 1 MB at most. @throws Fault */
export const queryPage = (
  dynamo: DynamoDBDocumentClient,
  query: QueryCommandInput,
): Promise<QueryCommandOutput> => dynamo.send(new QueryCommand(query)).catch(dynamoFault);

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
 * One page of a scan of a table without sort keys; only the maintenance function may scan.
 * @param page - `limit` counts items before filtering; `after` is a partition key, whose item may be gone
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
 * Update by which exactly one of several callers claims an item. The condition accepts its own claimant, so that a
 * retry after a lost answer succeeds.
 * @param claimant - unique to this call
 */
export const claimUpdate = (claimant: string) => ({
  UpdateExpression: 'SET claimedBy = :claimant',
  ConditionExpression:
    'attribute_exists(pk) AND (attribute_not_exists(claimedBy) OR claimedBy = :claimant)',
  ExpressionAttributeValues: { ':claimant': claimant },
});

/** A schema for each field of a type, so that the compiler reports missing ones. */
export type Fields<Type> = Record<keyof Type, z.ZodMiniType>;

/**
 * Validates a stored item like any other input. Keys and attributes that only the store needs are dropped.
 * @param what - name of the item in the Fault, such as `deployment weather`
 * @throws Fault if the item does not match the schema
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

/** Validates an item that is stored as JSON text. @throws Fault */
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

/** Error handler for conditional writes: `undefined` if the condition does not hold, a Fault otherwise. */
export const undefinedUnlessMet = (cause: unknown): undefined => {
  if (cause instanceof ConditionalCheckFailedException) return undefined;
  return dynamoFault(cause);
};
