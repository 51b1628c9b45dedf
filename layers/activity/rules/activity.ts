import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';

/** Events that are kept one by one. */
export const EVENT_TYPES = ['change', 'security', 'credential_access', 'quota_warning'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const ACTIVITY_TYPES = [...EVENT_TYPES, 'tool_invocations'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

export interface ActivityEvent {
  readonly type: EventType;
  /** Where it stands on the time line: its ISO time and something of its own, unique. */
  readonly place: string;
  readonly at: EpochSeconds;
  /** What else is known of it. */
  readonly details: Readonly<Record<string, string | number>>;
}

/** The name of an event's field where people and programs read it: `deploymentId` is `deployment_id`. */
export const wireName = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

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
