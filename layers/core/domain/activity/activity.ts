import { DAY, type EpochSeconds } from '../time.ts';

/** Events that are kept one by one. */
export const EVENT_TYPES = ['security', 'credential_access', 'quota_warning'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const ACTIVITY_TYPES = [...EVENT_TYPES, 'tool_invocations'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

export interface ActivityEvent {
  readonly type: EventType;
  /** Where it stands on the time line: its ISO time and something of its own, unique. */
  readonly place: string;
  readonly at: EpochSeconds;
  /** What else is known of it, by wire name. */
  readonly details: Readonly<Record<string, string | number>>;
}

/** The calls of one tool on one day, in UTC. Those whose outcome is not known yet are among `calls` only. */
export interface ToolDay {
  /** `2026-11-20`. */
  readonly day: string;
  readonly tool: string;
  readonly calls: number;
  readonly ok: number;
  readonly targetErrors: number;
  readonly noAnswers: number;
  /** Over the calls whose outcome is known. */
  readonly latencySumMs: number;
  readonly latencyMaxMs: number;
}

export const dayOf = (at: EpochSeconds): string => timeOf(at).slice(0, 10);

/** As places on the time line begin. */
export const timeOf = (at: EpochSeconds): string => new Date(at * 1000).toISOString();

/** A day's counts stand at its first moment: whatever is read down to there has passed the whole day. */
export const placeOfDay = (day: string): string => `${day}T00:00:00.000Z`;

/**
 * The first moment that may be looked at.
 *
 * @param since - what was asked for, in epoch seconds
 */
export const firstMoment = (
  since: EpochSeconds | undefined,
  now: EpochSeconds,
  retentionDays: number,
): EpochSeconds => Math.max(since ?? 0, now - retentionDays * DAY);

/** Adds up what several instances have counted. */
export const joinedDays = (counted: readonly ToolDay[]): readonly ToolDay[] => {
  const joined = new Map<string, ToolDay>();
  for (const one of counted) {
    const key = `${one.day}#${one.tool}`;
    const before = joined.get(key);
    joined.set(key, before ? sum(before, one) : one);
  }
  return [...joined.values()];
};

const sum = (one: ToolDay, other: ToolDay): ToolDay => ({
  day: one.day,
  tool: one.tool,
  calls: one.calls + other.calls,
  ok: one.ok + other.ok,
  targetErrors: one.targetErrors + other.targetErrors,
  noAnswers: one.noAnswers + other.noAnswers,
  latencySumMs: one.latencySumMs + other.latencySumMs,
  latencyMaxMs: Math.max(one.latencyMaxMs, other.latencyMaxMs),
});
