import { setTimeout } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type CallRecord,
  countedCalls,
  joinedHours,
  placeOfCall,
  timeOf,
  type ToolHour,
} from '../../../domain/activity/index.ts';
import { Fault } from '../../../domain/fault.ts';
import { DAY, HOUR } from '../../../domain/time.ts';
import type { CallStore } from '../../../ports.ts';
import { callCountKey, callPartition, callsKey } from '../keys.ts';
import { getItem } from '../table/get-item.ts';
import { parseItem } from '../table/parse-item.ts';
import { queryItems } from '../table/query-items.ts';
import { transact, type Write } from '../table/transact.ts';
import {
  CallCountItem,
  joinedTo,
  packedCallItem,
  type PackedCallItem,
  packCalls,
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
 */
export const dynamoCallStore = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  retentionDays: number,
): CallStore => {
  const retention = retentionDays * DAY;

  const countsOf = async (deploymentId: string, shard: number, calls: readonly CallRecord[]) => {
    const read = countedCalls(calls).map(async ({ hour, tool }) => {
      const item = await getItem(dynamo, TableName, callCountKey(deploymentId, shard, hour, tool));
      const count = item && parseItem(CallCountItem, item, `a count of deployment ${deploymentId}`);
      return [nameOf({ hour, tool }), count] as const;
    });
    return new Map(await Promise.all(read));
  };

  /** Those items that may hold one of the calls, or take them. */
  const keptNear = async (
    deploymentId: string,
    shard: number,
    calls: readonly CallRecord[],
  ): Promise<readonly PackedCallItem[]> => {
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
    return items.map((item) => packedCallItem(deploymentId, item));
  };

  const put = (
    deploymentId: string,
    shard: number,
    { packed, calls }: PackedCallItem,
    before: PackedCallItem | undefined,
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

  const add = (
    deploymentId: string,
    shard: number,
    counted: ToolHour,
    before: ToolHour | undefined,
  ): Write => {
    const { hour, tool } = counted;
    return {
      Put: {
        TableName,
        Item: {
          ...callCountKey(deploymentId, shard, hour, tool),
          ...(before ? joinedHours([before, counted])[0] : counted),
          deleteAfter: endOf(hour) + retention,
        },
        ...unchanged(before?.calls),
      },
    };
  };

  /** @returns whether all of them are kept; otherwise others have counted meanwhile */
  const tryToStore = async (deploymentId: string, shard: number, calls: readonly CallRecord[]) => {
    // In this order: see above.
    const before = await countsOf(deploymentId, shard, calls);
    const kept = await keptNear(deploymentId, shard, calls);
    const known = new Set(kept.flatMap((item) => item.calls).map(placeOfCall));
    const unknown = calls.filter((call) => !known.has(placeOfCall(call)));
    if (unknown.length === 0) return true;
    const { item, joined } = joinedTo(kept, unknown) ?? {
      item: undefined,
      joined: { packed: packCalls(unknown), calls: unknown },
    };
    const counts = countedCalls(unknown).map(
      (one) => [nameOf(one), add(deploymentId, shard, one, before.get(nameOf(one)))] as const,
    );
    const refused = await transact(dynamo, {
      calls: put(deploymentId, shard, joined, item),
      ...Object.fromEntries(counts),
    });
    return refused.size === 0;
  };

  const store = async (deploymentId: string, shard: number, calls: readonly CallRecord[]) => {
    for (let tries = 0; ;) {
      try {
        if (await tryToStore(deploymentId, shard, calls)) return;
      } catch (error) {
        const pause = PAUSES[tries++];
        if (!(error instanceof Fault) || pause === undefined) throw error;
        await setTimeout(pause);
      }
    }
  };

  return {
    store: async (calls, source) => {
      const shard = shardOf(source);
      for (const [deploymentId, its] of Map.groupBy(calls, (call) => call.deploymentId)) {
        for (const part of partsOf(its)) await store(deploymentId, shard, part);
      }
    },
  };
};

/** The condition of an item that is written anew: its `calls` are those that were read, if there were any. */
const unchanged = (calls: number | Uint8Array | undefined) =>
  calls === undefined
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'calls = :before', ExpressionAttributeValues: { ':before': calls } };

/** Of a count in a transaction. */
const nameOf = ({ hour, tool }: Pick<ToolHour, 'hour' | 'tool'>): string => `${hour}#${tool}`;

/** Epoch seconds. @param hour - `2026-11-20T11` */
const endOf = (hour: string): number => Date.parse(`${hour}:00:00Z`) / 1000 + HOUR;
