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
  /** The last minute by the clock whose additions are counted. */
  done: z.string(),
  /** The next one, where there is more in it than one run counts. */
  begun: z.exactOptional(z.object({ minute: z.string(), counted: z.array(z.int()) })),
});

/** How far calls are counted for good. */
export type Tallied = z.infer<typeof Tallied>;

/** A minute by the clock of which each part has been counted so far, in the order of its marks. */
export type BegunMinute = NonNullable<Tallied['begun']>;

/**
 * Counts of calls, by the minute and by the hour: made of the calls as they are kept, again and again, so that whatever
 * comes twice, too late or in another order counts once.
 */
export const dynamoCallTally = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  retentionDays: number,
) => {
  /** All of a partition from one key on up to what begins as the other one. */
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
    /** How far calls are counted for good; undefined if none are. */
    tallied: async (): Promise<Tallied | undefined> => {
      const item = await getItem(dynamo, TableName, talliedKey());
      return item && parseItem(Tallied, item, 'how far calls are counted');
    },

    /** Unless a later minute is done. */
    raiseDone: (done: Minute): Promise<void> =>
      putTallied({ done }, 'attribute_not_exists(pk) OR done < :done'),

    /** What of the minute after that is counted, unless that is done by now. */
    noteBegun: (done: Minute, begun: BegunMinute): Promise<void> =>
      putTallied({ done, begun }, 'done = :done'),

    /** What was touched in a minute by the clock, of one part of all deployments. */
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

    /** The first minute of a span that has calls in a shard: one item is read, however many there are. */
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
     * The calls of a minute as they are kept, each once. Where the items have no more of them than a count has seen,
     * that is the count: nothing is unpacked, which takes most of the time.
     *
     * @param known - what was counted of the minute before; if omitted, it is counted in any case
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
      // Page after page: a partition is read three thousand units a second.
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

    /** What is stored of minutes, by `minuteName`. @param range - the first and the last minute, or an hour twice */
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

    /** @returns what was to be stored; a newer count stays where it stands */
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

/** How many ends and beginnings items have, those twice that are in two of them; NaN where one does not say. */
const seenBy = (items: readonly Readonly<Record<string, unknown>>[]): number =>
  items.reduce((sum, { seen }) => sum + Number(seen), 0);

/** Undefined for what this version cannot read; a later one may. */
const countable = (deploymentId: string, item: unknown) => {
  try {
    return countedCalls(deploymentId, item);
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
};
