import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { CallRecord } from '../../events/rules/call-record.ts';

const CallCounts = z.object({
  calls: z.int(),
  ok: z.int(),
  targetErrors: z.int(),
  noAnswers: z.int(),
  refused: z.int(),
  /** How many of the calls were trials of the owner's; not in counts of before. */
  trials: z._default(z.int(), 0),
  /** Over the calls that were sent to the target. */
  latencySumMs: z.int(),
  latencyMaxMs: z.int(),
});
export type CallCounts = ValueOf<typeof CallCounts>;

/** The calls of one tool in one hour, in UTC. */
export const ToolHour = z.object({
  /** `2026-11-20T11`. */
  hour: z.string(),
  tool: z.string(),
  ...CallCounts.shape,
});
export type ToolHour = ValueOf<typeof ToolHour>;

/** The calls of one tool on one day, in UTC. */
export interface ToolDay extends CallCounts {
  /** `2026-11-20`. */
  readonly day: string;
  readonly tool: string;
  /** Those hours that have calls, in order. */
  readonly hours: readonly ToolHour[];
}

/** Counts calls of one deployment by tool and hour; requests that call no tool are left out. */
export const countedCalls = (calls: readonly CallRecord[]): readonly ToolHour[] =>
  joinedHours(calls.filter((call) => !call.withoutTool).map(countOf));

/** Adds up what was counted apart. */
export const joinedHours = (counted: readonly ToolHour[]): readonly ToolHour[] =>
  [...Map.groupBy(counted, ({ hour, tool }) => `${hour}#${tool}`).values()].map((hours) =>
    hours.reduce((one, other) => ({ ...one, ...sumOf(one, other) })),
  );

export const daysOf = (counted: readonly ToolHour[]): readonly ToolDay[] =>
  [...Map.groupBy(joinedHours(counted), ({ hour, tool }) => `${dayIn(hour)}#${tool}`).values()].map(
    (unordered) => {
      const hours = unordered.toSorted((one, other) => (one.hour < other.hour ? -1 : 1));
      const [{ hour, tool, ...first }, ...others] = hours as [ToolHour, ...ToolHour[]];
      return { ...others.reduce(sumOf, first), day: dayIn(hour), tool, hours };
    },
  );

const dayIn = (hour: string): string => hour.slice(0, 10);

const countOf = ({ at, tool, outcome, durationMs, trial }: CallRecord): ToolHour => {
  const latencyMs = outcome === 'refused' ? 0 : durationMs;
  return {
    hour: new Date(at * 1000).toISOString().slice(0, 13),
    tool,
    calls: 1,
    ok: Number(outcome === 'ok'),
    targetErrors: Number(outcome === 'target_error'),
    noAnswers: Number(outcome === 'no_answer'),
    refused: Number(outcome === 'refused'),
    trials: Number(trial ?? false),
    latencySumMs: latencyMs,
    latencyMaxMs: latencyMs,
  };
};

export const sumOf = (one: CallCounts, other: CallCounts): CallCounts => ({
  calls: one.calls + other.calls,
  ok: one.ok + other.ok,
  targetErrors: one.targetErrors + other.targetErrors,
  noAnswers: one.noAnswers + other.noAnswers,
  refused: one.refused + other.refused,
  trials: one.trials + other.trials,
  latencySumMs: one.latencySumMs + other.latencySumMs,
  latencyMaxMs: Math.max(one.latencyMaxMs, other.latencyMaxMs),
});
