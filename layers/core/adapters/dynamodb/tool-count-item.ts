import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { ToolDay } from '../../domain/activity/index.ts';

/**
 * Over how many partitions the counts of one deployment are spread: instances that count the same tool
 * at once mostly write different items.
 */
export const SHARDS = 8;

export const toolCountKey = (deploymentId: string, shard: number, day: string, tool: string) => ({
  pk: partitionOf(deploymentId, shard),
  sk: `${day}#${tool}`,
});

export const partitionOf = (deploymentId: string, shard: number): string =>
  `TOOLS#${deploymentId}#${shard}`;

/** @param instance - a name of its own */
export const shardOf = (instance: string): number =>
  (createHash('sha256').update(instance).digest()[0] ?? 0) % SHARDS;

export const ToolCountItem = z.pipe(
  z.object({
    day: z.string(),
    tool: z.string(),
    calls: z.int(),
    ok: z.int(),
    target_errors: z.int(),
    no_answers: z.int(),
    latency_sum_ms: z.int(),
    latency_max_ms: z.int(),
  }),
  z.transform((item): ToolDay => ({
    day: item.day,
    tool: item.tool,
    calls: item.calls,
    ok: item.ok,
    targetErrors: item.target_errors,
    noAnswers: item.no_answers,
    latencySumMs: item.latency_sum_ms,
    latencyMaxMs: item.latency_max_ms,
  })),
);
