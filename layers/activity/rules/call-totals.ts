import { tallied } from '../../events/rules/call-outcome.ts';
import type { CallRecord } from '../../events/rules/call-record.ts';
import { type CallCounts, sumOf, type ToolDay } from './call-counts.ts';

export interface HourTotal extends CallCounts {
  /** In UTC: `2026-11-20T11`. */
  readonly hour: string;
}

/** All tools together, in order. */
export const hourTotals = (days: readonly ToolDay[]): readonly HourTotal[] => {
  const hours = days.flatMap((day) => day.hours);
  return [...Map.groupBy(hours, ({ hour }) => hour)]
    .map(([hour, its]): HourTotal => ({ ...sumOfCalls(its), hour }))
    .toSorted((one, other) => (one.hour < other.hour ? -1 : 1));
};

/** Keeps only the counts. */
export const sumOfCalls = (counts: readonly CallCounts[]): CallCounts =>
  counts.reduce<CallCounts>(sumOf, NONE);

const NONE: CallCounts = {
  calls: 0,
  ok: 0,
  targetErrors: 0,
  noAnswers: 0,
  refused: 0,
  errors: 0,
  trials: 0,
  sent: 0,
  latencySumMs: 0,
  latencyMaxMs: 0,
};

export interface CallerTotal {
  readonly subject: string;
  readonly clientId?: string;
  readonly grantId?: string;
  readonly calls: number;
  readonly errors: number;
  /** Among `errors`. */
  readonly refused: number;
  readonly lastAt: number;
}

/** The busiest callers first. @param records - the newest first */
export const callerTotals = (records: readonly CallRecord[]): readonly CallerTotal[] => {
  const groups = Map.groupBy(records, ({ subject, clientId = '' }) => `${subject} ${clientId}`);
  return [...groups.values()]
    .map((its) => {
      const [{ subject, clientId, grantId, at }] = its as [CallRecord, ...CallRecord[]];
      const { calls, errors } = tallied(its);
      return {
        subject,
        ...(clientId !== undefined && { clientId }),
        ...(grantId !== undefined && { grantId }),
        calls,
        errors,
        refused: tallied(its.filter(({ outcome }) => outcome === 'refused')).errors,
        lastAt: at,
      };
    })
    .filter(({ calls }) => calls > 0)
    .toSorted((one, other) => other.calls - one.calls || other.lastAt - one.lastAt);
};
