import type { CallRecord } from '../../events/rules/call-record.ts';
import { type CallCounts, joinedHours, sumOf, type ToolDay } from './call-counts.ts';

/** The calls of all tools in one hour, in UTC. */
export interface HourTotal extends CallCounts {
  /** `2026-11-20T11`. */
  readonly hour: string;
}

/** All tools together, hour by hour, in order. */
export const hourTotals = (days: readonly ToolDay[]): readonly HourTotal[] =>
  joinedHours(days.flatMap(({ hours }) => hours.map((hour) => ({ ...hour, tool: ANY })))).toSorted(
    (one, other) => (one.hour < other.hour ? -1 : 1),
  );

/** No tool is named so. */
const ANY = '';

export const sumOfCalls = (counts: readonly CallCounts[]): CallCounts =>
  counts.reduce<CallCounts>(sumOf, NONE);

const NONE: CallCounts = {
  calls: 0,
  ok: 0,
  targetErrors: 0,
  noAnswers: 0,
  refused: 0,
  trials: 0,
  latencySumMs: 0,
  latencyMaxMs: 0,
};

/** What one person or program did, through one client. */
export interface CallerTotal {
  readonly subject: string;
  readonly clientId?: string;
  readonly grantId?: string;
  readonly calls: number;
  readonly errors: number;
  readonly refused: number;
  /** Of the latest call. */
  readonly lastAt: number;
}

/**
 * Who called, the busiest first; requests that call no tool are left out.
 *
 * @param records - the newest first
 */
export const callerTotals = (records: readonly CallRecord[]): readonly CallerTotal[] => {
  const calls = records.filter((call) => !call.withoutTool);
  return [...Map.groupBy(calls, ({ subject, clientId = '' }) => `${subject} ${clientId}`).values()]
    .map((its) => {
      const [{ subject, clientId, grantId, at }] = its as [CallRecord, ...CallRecord[]];
      const ended = (...outcomes: readonly CallRecord['outcome'][]) =>
        its.filter(({ outcome }) => outcomes.includes(outcome)).length;
      return {
        subject,
        ...(clientId !== undefined && { clientId }),
        ...(grantId !== undefined && { grantId }),
        calls: its.length,
        errors: ended('target_error', 'no_answer'),
        refused: ended('refused'),
        lastAt: at,
      };
    })
    .toSorted((one, other) => other.calls - one.calls || other.lastAt - one.lastAt);
};
