import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { isUnfinished } from '../../events/rules/call-outcome.ts';
import { type CallRecord, placeOfCall } from '../../events/rules/call-record.ts';
import { countedCalls, joinedHours, StoredHour } from '../rules/call-counts.ts';
import { DAY, HOUR, timeOf } from '../../platform/rules/time.ts';
import { Fault } from '../../platform/rules/fault.ts';
import { callCountKey, callPartition, callsKey } from '../../platform/dynamodb/keys.ts';
import { dynamoFault, getItem, parseItem, queryItems } from '../../platform/dynamodb/items.ts';
import { transact } from '../../platform/dynamodb/transact.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import {
  joinedTo,
  type KeptCallItem,
  keptCallItem,
  nameOfCall,
  packCalls,
  type PackedCallItem,
  partsOf,
  shardOf,
  SPAN,
} from './call-item.ts';

/** Milliseconds before each further try of what the table would not take. */
const PAUSES = [500, 1000, 2000, 4000];

/**
 * Calls that come together are kept in one item, written in one transaction with their counts.
 *
 * So that each call counts once, however often and with whatever others the log brings it, what is kept of that
 * time is looked at first, and the transaction holds only where no count has changed since before that look.
 * Whoever has kept one of the calls meanwhile has changed its count: both write into the partitions of the
 * source, of which each call has one.
 *
 * A call that was sent has two lines, as a rule in one event: then the first is left out. Where the end is not there,
 * the beginning is kept in an item of its own, and whoever reads leaves it out once the end is there too: so the
 * order in which they come makes no difference, and no end is ever overwritten. Counted are ends alone.
 */
export const dynamoCallStore = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  retentionDays: number,
) => {
  const retention = retentionDays * DAY;

  const countsOf = async (deploymentId: string, shard: number, calls: readonly CallRecord[]) => {
    const read = countedCalls(calls).map(async ({ hour, tool }) => {
      const item = await getItem(dynamo, TableName, callCountKey(deploymentId, shard, hour, tool));
      const count = item && parseItem(StoredHour, item, `a count of deployment ${deploymentId}`);
      return [hourName({ hour, tool }), count] as const;
    });
    return new Map(await Promise.all(read));
  };

  /** Those items that may hold one of the calls, or take them. */
  const keptNear = async (
    deploymentId: string,
    shard: number,
    calls: readonly CallRecord[],
  ): Promise<readonly KeptCallItem[]> => {
    const times = calls.map(({ at }) => at);
    const items = await queryItems(dynamo, {
      TableName,
      KeyConditionExpression: 'pk = :partition AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':partition': callPartition(deploymentId, shard).pk,
        ':from': timeOf(Math.min(...times) - SPAN),
        ':to': timeOf(Math.max(...times) + 1),
      },
      ConsistentRead: true,
    });
    return items.map((item) => keptCallItem(deploymentId, item));
  };

  const put = (
    deploymentId: string,
    shard: number,
    { packed, calls }: PackedCallItem,
    before: KeptCallItem | undefined,
  ): Write => {
    const [first, last] = [calls[0], calls.at(-1)] as [CallRecord, CallRecord];
    return {
      Put: {
        TableName,
        Item: {
          ...callsKey(deploymentId, shard, placeOfCall(first)),
          calls: packed,
          deleteAfter: last.at + retention,
        },
        ...unchanged(before?.packed),
      },
    };
  };

  const putCount = (
    deploymentId: string,
    shard: number,
    { before, after }: { readonly before: StoredHour | undefined; readonly after: StoredHour },
  ): Write => {
    const { hour, tool } = after;
    return {
      Put: {
        TableName,
        Item: {
          ...callCountKey(deploymentId, shard, hour, tool),
          ...after,
          deleteAfter: endOf(hour) + retention,
        },
        ...unchanged(before?.calls),
      },
    };
  };

  const readStored = async (
    deploymentId: string,
    shard: number,
    calls: readonly CallRecord[],
  ): Promise<Stored> => {
    // In this order: see above.
    const counts = await countsOf(deploymentId, shard, calls);
    const items = await keptNear(deploymentId, shard, calls);
    const names = new Set(items.flatMap(({ unread }) => unread).map(nameOfCall));
    return { counts, items, names };
  };

  /**
   * @param stored - in the time of these calls; updated with what is written
   * @returns false, and nothing is written, if another writer has changed a count since that was read
   */
  const tryToStore = async (
    deploymentId: string,
    shard: number,
    calls: readonly CallRecord[],
    stored: Stored,
  ): Promise<boolean> => {
    const unknown = calls.filter((call) => !stored.names.has(nameOfCall(call)));
    if (unknown.length === 0) return true;
    const { item, joined } = joinedTo(deploymentId, stored.items, unknown) ?? {
      item: undefined,
      joined: { packed: packCalls(unknown), calls: unknown },
    };
    const counts = countedCalls(unknown).map((counted) => {
      const before = stored.counts.get(hourName(counted));
      const [after = counted] = joinedHours(before ? [before, counted] : [counted]);
      return { before, after };
    });
    const refused = await transact(dynamo, {
      calls: put(deploymentId, shard, joined, item),
      ...Object.fromEntries(
        counts.map((one) => [hourName(one.after), putCount(deploymentId, shard, one)] as const),
      ),
    });
    if (refused.size > 0) return false;
    for (const { after } of counts) stored.counts.set(hourName(after), after);
    for (const call of unknown) stored.names.add(nameOfCall(call));
    const written = { packed: joined.packed, unread: joined.calls.map((call) => ({ ...call })) };
    stored.items = [...stored.items.filter((one) => one !== item), written];
    return true;
  };

  /** Reads what is stored of their time once, and again wherever another writer has changed it. */
  const storeEnded = async (deploymentId: string, shard: number, calls: readonly CallRecord[]) => {
    const parts = partsOf(calls);
    let stored: Stored | undefined;
    for (const [at, part] of parts.entries()) {
      await untilKept(async () => {
        const before = stored ?? (await readStored(deploymentId, shard, parts.slice(at).flat()));
        // A write that fails may have been done all the same.
        stored = undefined;
        const isStored = await tryToStore(deploymentId, shard, part, before);
        if (isStored) stored = before;
        return isStored;
      });
    }
  };

  /** The same beginnings stand in the same item, however often they come. */
  const tryToStoreBegun = async (
    deploymentId: string,
    shard: number,
    calls: readonly CallRecord[],
  ) => {
    const [first, last] = [calls[0], calls.at(-1)] as [CallRecord, CallRecord];
    const begun = packCalls(calls);
    const name = createHash('sha256').update(begun).digest('hex').slice(0, 16);
    const Item = {
      ...callsKey(deploymentId, shard, `${placeOfCall(first)}#begun#${name}`),
      calls: NO_CALLS,
      begun,
      deleteAfter: last.at + retention,
    };
    await dynamo.send(new PutCommand({ TableName, Item })).catch(dynamoFault);
    return true;
  };

  const untilKept = async (tryOnce: () => Promise<boolean>): Promise<void> => {
    for (let tries = 0; ;) {
      try {
        if (await tryOnce()) return;
      } catch (error) {
        const pause = PAUSES[tries++];
        if (!(error instanceof Fault) || pause === undefined) throw error;
        await setTimeout(pause);
      }
    }
  };

  return {
    /**
     * Keeps and counts those calls that are not kept yet: whatever is stored twice counts once.
     *
     * @param source - where they come from, of which each call has one: a line stays in its log stream. Writers of
     *   different sources rarely meet in one count
     * @throws Fault, and then some may be kept; storing all of them again keeps the others
     */
    store: async (calls: readonly CallRecord[], source: string): Promise<void> => {
      const shard = shardOf(source);
      for (const [id, its] of Map.groupBy(calls, (call) => call.deploymentId)) {
        const ended = its.filter((call) => !isUnfinished(call));
        const places = new Set(ended.map(placeOfCall));
        const begun = its.filter((call) => isUnfinished(call) && !places.has(placeOfCall(call)));
        await storeEnded(id, shard, ended);
        for (const part of partsOf(begun)) await untilKept(() => tryToStoreBegun(id, shard, part));
      }
    },
  };
};

/** Where calls are kept one by one, and counted by tool and hour. */
export type CallStore = ReturnType<typeof dynamoCallStore>;

/** What the table has of some time: counts by hour and tool, items, and the names of the calls in these. */
interface Stored {
  readonly counts: Map<string, StoredHour | undefined>;
  items: readonly KeptCallItem[];
  readonly names: Set<string>;
}

/** For versions of before, which read no beginnings. */
const NO_CALLS = packCalls([]);

/** The condition of an item that is written anew: its `calls` are those that were read, if there were any. */
const unchanged = (calls: number | Uint8Array | undefined) =>
  calls === undefined
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'calls = :before', ExpressionAttributeValues: { ':before': calls } };

/** Of a count in a transaction. */
const hourName = ({ hour, tool }: Pick<StoredHour, 'hour' | 'tool'>): string => `${hour}#${tool}`;

/** Epoch seconds. @param hour - `2026-11-20T11` */
const endOf = (hour: string): number => Date.parse(`${hour}:00:00Z`) / 1000 + HOUR;
