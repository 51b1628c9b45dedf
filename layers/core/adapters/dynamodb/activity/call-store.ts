import { setTimeout } from 'node:timers/promises';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type CallRecord,
  countedCalls,
  placeOfCall,
  type ToolHour,
} from '../../../domain/activity/index.ts';
import { Fault } from '../../../domain/fault.ts';
import { DAY, HOUR } from '../../../domain/time.ts';
import type { CallStore } from '../../../ports.ts';
import { callCountKey, callKey, slowestCallKey } from '../keys.ts';
import { undefinedUnlessMet } from '../table/faults.ts';
import { transact, type Write } from '../table/transact.ts';
import { shardOf } from './call-item.ts';

/** Of a transaction that writes a call and its count: DynamoDB takes a hundred. */
const MOST_WRITES = 100;
/** Milliseconds before each further try of what the table would not take. */
const PAUSES = [500, 1000, 2000, 4000];

/**
 * A call and its count are written in one transaction, on the condition that the call is not there yet: so
 * each call counts once, however often the log brings it.
 */
export const dynamoCallStore = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  retentionDays: number,
): CallStore => {
  const put = (call: CallRecord): Write => ({
    Put: {
      TableName,
      Item: {
        ...callKey(call.deploymentId, shardOf(call.requestId), placeOfCall(call)),
        ...call,
        deleteAfter: call.at + retentionDays * DAY,
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  });

  const add = (deploymentId: string, shard: number, counted: ToolHour): Write => ({
    Update: {
      TableName,
      Key: callCountKey(deploymentId, shard, counted.hour, counted.tool),
      UpdateExpression:
        'ADD calls :calls, ok :ok, targetErrors :errors, noAnswers :none, refused :refused, ' +
        'latencySumMs :sum SET #hour = :hour, tool = :tool, deleteAfter = :deleteAfter',
      ExpressionAttributeNames: { '#hour': 'hour' },
      ExpressionAttributeValues: {
        ':calls': counted.calls,
        ':ok': counted.ok,
        ':errors': counted.targetErrors,
        ':none': counted.noAnswers,
        ':refused': counted.refused,
        ':sum': counted.latencySumMs,
        ':hour': counted.hour,
        ':tool': counted.tool,
        ':deleteAfter': endOf(counted.hour) + retentionDays * DAY,
      },
    },
  });

  const storeNew = async (deploymentId: string, shard: number, calls: readonly CallRecord[]) => {
    let unknown = new Map(calls.map((call) => [placeOfCall(call), call]));
    for (let tries = 0; unknown.size > 0;) {
      const puts = [...unknown].map(([place, call]) => [place, put(call)] as const);
      const counts = countedCalls([...unknown.values()]);
      const adds = counts.map(
        (one) => [`count ${one.hour} ${one.tool}`, add(deploymentId, shard, one)] as const,
      );
      try {
        const known = await transact(dynamo, Object.fromEntries([...puts, ...adds]));
        if (known.size === 0) return;
        unknown = new Map([...unknown].filter(([place]) => !known.has(place)));
      } catch (error) {
        const pause = PAUSES[tries++];
        if (!(error instanceof Fault) || pause === undefined) throw error;
        await setTimeout(pause);
      }
    }
  };

  const noteSlowest = async (deploymentId: string, shard: number, counted: ToolHour) => {
    const { hour, tool, latencyMaxMs } = counted;
    if (latencyMaxMs === 0) return;
    await dynamo
      .send(
        new UpdateCommand({
          TableName,
          Key: slowestCallKey(deploymentId, shard, hour, tool),
          UpdateExpression:
            'SET latencyMaxMs = :max, #hour = :hour, tool = :tool, deleteAfter = :deleteAfter',
          ConditionExpression: 'attribute_not_exists(pk) OR latencyMaxMs < :max',
          ExpressionAttributeNames: { '#hour': 'hour' },
          ExpressionAttributeValues: {
            ':max': latencyMaxMs,
            ':hour': hour,
            ':tool': tool,
            ':deleteAfter': endOf(hour) + retentionDays * DAY,
          },
        }),
      )
      .catch(undefinedUnlessMet);
  };

  return {
    store: async (calls, source) => {
      const shard = shardOf(source);
      for (const [deploymentId, its] of Map.groupBy(calls, (call) => call.deploymentId)) {
        for (const batch of batches(its)) await storeNew(deploymentId, shard, batch);
        // Of all calls, also those that were kept before: that time may have ended right here.
        for (const counted of countedCalls(its)) await noteSlowest(deploymentId, shard, counted);
      }
    },
  };
};

/** As many calls at once as fit into a transaction, together with their counts. */
const batches = (calls: readonly CallRecord[]): readonly (readonly CallRecord[])[] => {
  const all: CallRecord[][] = [];
  let counts = new Set<string>();
  for (const call of calls) {
    const count = `${Math.floor(call.at / HOUR)}#${call.tool}`;
    const last = all.at(-1);
    if (last && last.length + counts.size + 1 + Number(!counts.has(count)) <= MOST_WRITES) {
      last.push(call);
    } else {
      all.push([call]);
      counts = new Set();
    }
    counts.add(count);
  }
  return all;
};

/** Epoch seconds. @param hour - `2026-11-20T11` */
const endOf = (hour: string): number => Date.parse(`${hour}:00:00Z`) / 1000 + HOUR;
