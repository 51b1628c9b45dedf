import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { CALL_OUTCOMES, type CallRecord, type ToolHour } from '../../../domain/activity/index.ts';
import type { Fields } from '../table/parse-item.ts';

/** Over how many partitions the calls of one deployment, and their counts, are spread. */
export const SHARDS = 8;

/** @param spread - what falls into one partition is alike in this */
export const shardOf = (spread: string): number =>
  (createHash('sha256').update(spread).digest()[0] ?? 0) % SHARDS;

export const CallItem = z.object({
  at: z.int(),
  requestId: z.string(),
  index: z.int(),
  deploymentId: z.string(),
  version: z.int(),
  tool: z.string(),
  outcome: z.enum(CALL_OUTCOMES),
  status: z.exactOptional(z.int()),
  reason: z.exactOptional(z.string()),
  durationMs: z.int(),
  subject: z.string(),
  clientId: z.exactOptional(z.string()),
  grantId: z.exactOptional(z.string()),
  tokenId: z.exactOptional(z.string()),
  ip: z.string(),
  credentialVersion: z.exactOptional(z.string()),
} satisfies Fields<Required<CallRecord>>);

const count = z._default(z.int(), 0);

/** A count, or the slowest call of one. */
export const CallCountItem = z.object({
  hour: z.string(),
  tool: z.string(),
  calls: count,
  ok: count,
  targetErrors: count,
  noAnswers: count,
  refused: count,
  latencySumMs: count,
  latencyMaxMs: count,
} satisfies Fields<ToolHour>);
