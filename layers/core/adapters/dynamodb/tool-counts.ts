import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dayOf, placeOfDay, type ToolDay } from '../../domain/activity/index.ts';
import { DAY, type EpochSeconds } from '../../domain/time.ts';
import type { Clock, CountedCall, Log, Mint, ToolCounts } from '../../ports.ts';
import { dynamoFault, undefinedUnlessMet } from './faults.ts';
import { stored } from './stored.ts';
import { shardOf, ToolCountItem, toolCountKey } from './tool-count-item.ts';

/** Seconds between two times that an instance stores its counts. */
const STORE_EVERY = 10;
/** How many counts are stored at once; what is left comes with the next call. */
const STORE_AT_ONCE = 20;

interface Pending extends ToolDay {
  readonly deploymentId: string;
}

/**
 * Counts in memory. The counts are stored beside a later call to a target, which takes longer: no call
 * waits for its own to be stored, and a busy instance writes once in ten seconds per tool. An instance
 * that ends takes with it what it has counted since, ten seconds' calls and the outcomes of the last
 * ones; the log has them all. An update whose answer is lost may count twice.
 */
export const dynamoToolCounts = (
  { clock, log, mint }: { readonly clock: Clock; readonly log: Log; readonly mint: Mint },
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  retentionDays: number,
): ToolCounts => {
  const shard = shardOf(mint.id());
  let pending = new Map<string, Pending>();
  let storedAt: EpochSeconds = 0;

  const add = ({ deploymentId, tool }: CountedCall, counts: Partial<ToolDay>): void => {
    const day = dayOf(clock.now());
    const key = JSON.stringify([deploymentId, tool, day]);
    const before = pending.get(key) ?? { ...NOTHING, deploymentId, tool, day };
    pending.set(key, {
      ...before,
      calls: before.calls + (counts.calls ?? 0),
      ok: before.ok + (counts.ok ?? 0),
      targetErrors: before.targetErrors + (counts.targetErrors ?? 0),
      noAnswers: before.noAnswers + (counts.noAnswers ?? 0),
      latencySumMs: before.latencySumMs + (counts.latencySumMs ?? 0),
      latencyMaxMs: Math.max(before.latencyMaxMs, counts.latencyMaxMs ?? 0),
    });
  };

  const store = async (counted: Pending): Promise<void> => {
    const { deploymentId, day, tool, latencyMaxMs } = counted;
    const Key = toolCountKey(deploymentId, shard, day, tool);
    const { Attributes } = await dynamo
      .send(
        new UpdateCommand({
          TableName,
          Key,
          UpdateExpression:
            'ADD calls :calls, ok :ok, target_errors :errors, no_answers :none, latency_sum_ms :sum ' +
            'SET #day = :day, tool = :tool, expires_at = :expires, ' +
            'latency_max_ms = if_not_exists(latency_max_ms, :max)',
          ExpressionAttributeNames: { '#day': 'day' },
          ExpressionAttributeValues: {
            ':calls': counted.calls,
            ':ok': counted.ok,
            ':errors': counted.targetErrors,
            ':none': counted.noAnswers,
            ':sum': counted.latencySumMs,
            ':max': latencyMaxMs,
            ':day': day,
            ':tool': tool,
            ':expires': Date.parse(placeOfDay(day)) / 1000 + (retentionDays + 1) * DAY,
          },
          ReturnValues: 'ALL_NEW',
        }),
      )
      .catch(dynamoFault);
    if (stored(ToolCountItem, Attributes, Key.pk).latencyMaxMs >= latencyMaxMs) return;
    await dynamo
      .send(
        new UpdateCommand({
          TableName,
          Key,
          UpdateExpression: 'SET latency_max_ms = :max',
          ConditionExpression: 'latency_max_ms < :max',
          ExpressionAttributeValues: { ':max': latencyMaxMs },
        }),
      )
      .catch(undefinedUnlessMet);
  };

  return {
    began: async (call) => {
      add(call, { calls: 1 });
      const now = clock.now();
      if (now < storedAt + STORE_EVERY) return;

      const all = [...pending];
      pending = new Map(all.slice(STORE_AT_ONCE));
      if (pending.size === 0) storedAt = now;
      const ends = await Promise.allSettled(
        all.slice(0, STORE_AT_ONCE).map(([, counted]) => store(counted)),
      );
      const lost = ends.filter(({ status }) => status === 'rejected').length;
      if (lost > 0) log.write({ message: 'tool_counts_lost', level: 'error', count: lost });
    },

    ended: (call, { outcome, durationMs }) => {
      add(call, {
        ok: outcome === 'ok' ? 1 : 0,
        targetErrors: outcome === 'target_error' ? 1 : 0,
        noAnswers: outcome === 'no_answer' ? 1 : 0,
        latencySumMs: durationMs,
        latencyMaxMs: durationMs,
      });
    },
  };
};

const NOTHING = {
  calls: 0,
  ok: 0,
  targetErrors: 0,
  noAnswers: 0,
  latencySumMs: 0,
  latencyMaxMs: 0,
} as const;
