import * as z from 'zod/mini';
import { countedAs, isSent } from '../../events/rules/call-outcome.ts';
import type { CallRecord } from '../../events/rules/call-record.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';

/** The calls of one tool in one hour, in UTC, as they are stored: trials are among them, and counted apart as well. */
export const StoredHour = z.object({
  /** `2026-11-20T11`. */
  hour: z.string(),
  tool: z.string(),
  /** Grows with each call, whoever made it: a count is written only where it is what was read. */
  calls: z.int(),
  ok: z.int(),
  targetErrors: z.int(),
  noAnswers: z.int(),
  refused: z.int(),
  /** How many of the calls were trials of the owner's; not in counts of before. */
  trials: z._default(z.int(), 0),
  /** How many trials ended so; not in counts of before, which do not tell how trials ended. */
  trialTargetErrors: z._default(z.int(), 0),
  trialNoAnswers: z._default(z.int(), 0),
  trialRefused: z._default(z.int(), 0),
  /** Over the calls that were sent to the target, without trials, which counts of before have in it. */
  latencySumMs: z.int(),
  latencyMaxMs: z.int(),
});
export type StoredHour = ValueOf<typeof StoredHour>;

/** Calls of those who call, as everybody is told of them: `calls` is the sum of how they ended. */
export interface CallCounts {
  readonly calls: number;
  readonly ok: number;
  readonly targetErrors: number;
  readonly noAnswers: number;
  readonly refused: number;
  /** Of the calls. */
  readonly errors: number;
  /** Of the owner, beside the calls. */
  readonly trials: number;
  /** How many of the calls were sent, over which the latencies are. */
  readonly sent: number;
  readonly latencySumMs: number;
  readonly latencyMaxMs: number;
}

/** The calls of one tool in one hour, in UTC. */
export interface ToolHour extends CallCounts {
  /** `2026-11-20T11`. */
  readonly hour: string;
  readonly tool: string;
}

/** The calls of one tool on one day, in UTC. */
export interface ToolDay extends CallCounts {
  /** `2026-11-20`. */
  readonly day: string;
  readonly tool: string;
  /** Those hours that have calls, in order. */
  readonly hours: readonly ToolHour[];
}

/** Counts calls of one deployment by tool and hour; requests that call no tool are left out. */
export const countedCalls = (calls: readonly CallRecord[]): readonly StoredHour[] =>
  joinedHours(calls.filter((call) => countedAs(call) !== 'no_call').map(countOf));

/** Adds up what was counted apart. */
export const joinedHours = (counted: readonly StoredHour[]): readonly StoredHour[] =>
  [...Map.groupBy(counted, ({ hour, tool }) => `${hour}#${tool}`).values()].map((hours) =>
    hours.reduce(sumOf),
  );

export const daysOf = (counted: readonly StoredHour[]): readonly ToolDay[] => {
  const hours = joinedHours(counted).map(hourOfCallers);
  return [...Map.groupBy(hours, ({ hour, tool }) => `${dayIn(hour)}#${tool}`).values()].map(
    (unordered) => {
      const its = unordered.toSorted((one, other) => (one.hour < other.hour ? -1 : 1));
      const { hour, ...sum } = its.reduce(sumOf);
      return { ...sum, day: dayIn(hour), hours: its };
    },
  );
};

const dayIn = (hour: string): string => hour.slice(0, 10);

const countOf = (call: CallRecord): StoredHour => {
  const { at, tool, outcome, durationMs } = call;
  const isTrial = countedAs(call) === 'trial';
  const latencyMs = isSent(outcome) && !isTrial ? durationMs : 0;
  const ended = (one: CallRecord['outcome']): number => Number(outcome === one);
  const tried = (one: CallRecord['outcome']): number => Number(isTrial && outcome === one);
  return {
    hour: new Date(at * 1000).toISOString().slice(0, 13),
    tool,
    calls: 1,
    ok: ended('ok'),
    targetErrors: ended('target_error'),
    noAnswers: ended('no_answer'),
    refused: ended('refused'),
    trials: Number(isTrial),
    trialTargetErrors: tried('target_error'),
    trialNoAnswers: tried('no_answer'),
    trialRefused: tried('refused'),
    latencySumMs: latencyMs,
    latencyMaxMs: latencyMs,
  };
};

/** Trials of which no end is on record are taken for successes. */
const hourOfCallers = (stored: StoredHour): ToolHour => {
  const { hour, tool, trials, latencySumMs, latencyMaxMs } = stored;
  const failedTrials = stored.trialTargetErrors + stored.trialNoAnswers + stored.trialRefused;
  const ok = Math.max(0, stored.ok - Math.max(0, trials - failedTrials));
  const targetErrors = stored.targetErrors - stored.trialTargetErrors;
  const noAnswers = stored.noAnswers - stored.trialNoAnswers;
  const refused = stored.refused - stored.trialRefused;
  const errors = targetErrors + noAnswers + refused;
  return {
    hour,
    tool,
    calls: ok + errors,
    ok,
    targetErrors,
    noAnswers,
    refused,
    errors,
    trials,
    sent: ok + targetErrors + noAnswers,
    latencySumMs,
    latencyMaxMs,
  };
};

/** All numbers are sums but the longest latency; what is no number is that of the first. */
export const sumOf = <Counts extends CallCounts | StoredHour>(one: Counts, other: Counts): Counts =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]: [string, unknown]) => {
      const more: unknown = Reflect.get(other, name);
      if (typeof value !== 'number' || typeof more !== 'number') return [name, value];
      return [name, name === 'latencyMaxMs' ? Math.max(value, more) : value + more];
    }),
  ) as Counts;
