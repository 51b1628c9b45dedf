import {
  type DynamoDBDocumentClient,
  paginateQuery,
  PutCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { Fault } from '../../platform/rules/fault.ts';
import { DAY, HOUR } from '../../platform/rules/time.ts';
import {
  callHourKey,
  callMinuteKey,
  callMinutesPartition,
  callPartition,
  type ItemKey,
  talliedKey,
  touchedPartition,
} from '../../platform/dynamodb/keys.ts';
import {
  dynamoFault,
  getItem,
  parseItem,
  queryItems,
  undefinedUnlessMet,
} from '../../platform/dynamodb/items.ts';
import {
  type CallCount,
  callCounter,
  COUNTING_RULES,
  type CountedMinute,
  type StoredCount,
} from '../rules/call-counts.ts';
import { type Reading, touchedBy, type TouchedMinute, type Writing } from '../rules/touched.ts';
import { hourOf, type Minute, minuteIn, secondOf } from '../rules/minutes.ts';
import { countedCalls } from './call-item.ts';
import { ifNewer, packedCount, readableCount } from './count-item.ts';

const Tallied = z.object({
  /** The last minute whose marks are counted finally. */
  done: z.string(),
  /** The minute after it, if one run could not count it. */
  begun: z.exactOptional(z.object({ minute: z.string(), counted: z.array(z.int()) })),
});

export type Tallied = z.infer<typeof Tallied>;

/** Progress within a minute: number of counted marks in each part, in their order. */
export type BegunMinute = NonNullable<Tallied['begun']>;

/**
 * Counts of calls by minute and hour. They are recomputed from the stored calls, so that duplicates, late calls and
 * any order give the same numbers.
 */
export const dynamoCallTally = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  retentionDays: number,
) => {
  /** Keys from `from` up to all that begin with `to`. */
  const within = (pk: string, [from, to]: readonly [string, string]) => ({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': `${to}~` },
  });

  const putCount = async (
    key: ItemKey,
    hour: string,
    count: CallCount,
    { isAnew }: Writing,
  ): Promise<StoredCount> => {
    const deleteAfter = secondOf(`${hour}:00`) + HOUR + retentionDays * DAY;
    const Item = { ...key, ...packedCount(count), deleteAfter };
    const condition = isAnew ? {} : ifNewer(count);
    await dynamo.send(new PutCommand({ TableName, Item, ...condition })).catch(undefinedUnlessMet);
    return { rules: Item.rules, seen: count.seen, tools: count.tools };
  };

  const putTallied = async (tallied: Tallied, ConditionExpression: string): Promise<void> => {
    const Item = { ...talliedKey(), ...tallied };
    const ExpressionAttributeValues = { ':done': tallied.done };
    await dynamo
      .send(new PutCommand({ TableName, Item, ConditionExpression, ExpressionAttributeValues }))
      .catch(undefinedUnlessMet);
  };

  return {
    tallied: async (): Promise<Tallied | undefined> => {
      const item = await getItem(dynamo, TableName, talliedKey());
      return item && parseItem(Tallied, item, 'how far calls are counted');
    },

    /** Does nothing if a later minute is stored. */
    raiseDone: (done: Minute): Promise<void> =>
      putTallied({ done }, 'attribute_not_exists(pk) OR done < :done'),

    /** Stores progress, unless the minute has been finished meanwhile. */
    noteBegun: (done: Minute, begun: BegunMinute): Promise<void> =>
      putTallied({ done, begun }, 'done = :done'),

    /** Minutes of calls that were touched at a time, for one part of the deployments. */
    touched: async (
      seenAt: Minute,
      part: number,
      reading: Reading,
    ): Promise<readonly TouchedMinute[]> => {
      const { pk } = touchedPartition(seenAt, part);
      const items = await queryItems(dynamo, {
        TableName,
        ...within(pk, ['0', '']),
        ConsistentRead: reading.isForGood,
      });
      return items.map(({ sk }) => touchedBy(String(sk)));
    },

    /** The first minute with calls in a shard; reads a single item. */
    firstMinute: async (
      deploymentId: string,
      shard: number,
      span: readonly [Minute, Minute],
    ): Promise<TouchedMinute | undefined> => {
      if (span[0] > span[1]) return undefined;
      const query = {
        TableName,
        ...within(callPartition(deploymentId, shard).pk, span),
        ProjectionExpression: 'sk',
        ConsistentRead: true,
        Limit: 1,
      };
      for await (const [first] of pagesOf(dynamo, query)) {
        if (first) return { deploymentId, shard, minute: minuteIn(String(first['sk'])) };
      }
      return undefined;
    },

    /**
     * Counts the stored calls of a minute, without duplicates. If the items have as many records as the known count
     * has seen, that count is returned: unpacking takes most of the time.
     * @param known - the stored count; if omitted, everything is counted
     */
    count: async (
      { deploymentId, shard, minute }: TouchedMinute,
      reading: Reading,
      known?: StoredCount,
    ): Promise<CountedMinute> => {
      const { pk } = callPartition(deploymentId, shard);
      const range = within(pk, [minute, minute]);
      const query = { TableName, ...range, ConsistentRead: reading.isForGood };
      const items: Readonly<Record<string, unknown>>[] = [];
      // Page by page: a partition allows 3,000 read units a second.
      for await (const page of pagesOf(dynamo, query)) items.push(...page);
      if (known && known.rules >= COUNTING_RULES && seenBy(items) === known.seen) {
        return { ...known, unread: 0 };
      }
      const counter = callCounter();
      let unread = 0;
      for (const item of items) {
        const calls = countable(deploymentId, item);
        if (!calls) unread += 1;
        for (const call of calls ?? []) counter.add(call);
      }
      return { ...counter.count(), unread };
    },

    /** Stored counts of minutes, by `minuteName`. @param range - the first and the last minute, or an hour twice */
    minutes: async (
      deploymentId: string,
      range: readonly [string, string],
      reading: Reading,
    ): Promise<ReadonlyMap<string, StoredCount>> => {
      const { pk } = callMinutesPartition(deploymentId);
      const items = await queryItems(dynamo, {
        TableName,
        ...within(pk, range),
        ConsistentRead: reading.isForGood,
      });
      const what = `counts of calls of deployment ${deploymentId}`;
      const counts = items.flatMap((item) => readableCount(what, item) ?? []);
      return new Map(counts.map((count) => [count.sk, count]));
    },

    /** @returns the given count, even if a newer one stays stored */
    putMinute: (
      { deploymentId, shard, minute }: TouchedMinute,
      count: CallCount,
      writing: Writing,
    ): Promise<StoredCount> =>
      putCount(callMinuteKey(deploymentId, minute, shard), hourOf(minute), count, writing),

    hour: async (deploymentId: string, hour: string): Promise<StoredCount | undefined> => {
      const item = await getItem(dynamo, TableName, callHourKey(deploymentId, hour));
      return item && readableCount(`an hour of calls of deployment ${deploymentId}`, item);
    },

    putHour: (
      deploymentId: string,
      hour: string,
      count: CallCount,
      writing: Writing,
    ): Promise<StoredCount> => putCount(callHourKey(deploymentId, hour), hour, count, writing),
  };
};

export type CallTally = ReturnType<typeof dynamoCallTally>;

async function* pagesOf(dynamo: DynamoDBDocumentClient, query: QueryCommandInput) {
  try {
    for await (const { Items = [] } of paginateQuery({ client: dynamo }, query)) yield Items;
  } catch (cause) {
    dynamoFault(cause);
  }
}

/** Number of records in the items, duplicates included; NaN if an item lacks its number. */
const seenBy = (items: readonly Readonly<Record<string, unknown>>[]): number =>
  items.reduce((sum, { seen }) => sum + Number(seen), 0);

/** Undefined if this version cannot read it; a later one may. */
const countable = (deploymentId: string, item: unknown) => {
  try {
    return countedCalls(deploymentId, item);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
};
