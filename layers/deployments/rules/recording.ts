import * as z from 'zod/mini';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';

const moment = z.int().check(z.minimum(0));

/** Days for which calls may be recorded. */
export const RECORDING_DAYS = [1, 30] as const;

/**
 * That calls of a deployment are recorded with what was sent and answered, as the router is told of it. What it records
 * is sealed for a private key that only management reads.
 *
 * Source: docs/recordings.md.
 */
export const Recording = z.object({
  /** X25519, raw, base64url. */
  publicKey: z.string(),
  /** What was sent before is not recorded. */
  since: moment,
  /** When it ends, and what was recorded is gone. */
  until: moment,
  /** Of one tool, or operation in search mode; absent: of all. */
  tool: z.exactOptional(z.string()),
  /** Of one person: as the owner named them, and what that may stand for; absent: of everybody. */
  subjects: z.exactOptional(z.array(z.string()).check(z.minLength(1))),
});
export type Recording = ValueOf<typeof Recording>;

/** A key pair of recordings of one deployment. Who removes it has made unreadable what was recorded with it. */
export const RecordingKey = z.object({
  publicKey: z.string(),
  privateKey: z.string(),
  since: moment,
  until: moment,
  /** When its owner switched it off. */
  endedAt: z.exactOptional(moment),
});
export type RecordingKey = ValueOf<typeof RecordingKey>;

export const isRecording = (
  recording: Recording | undefined,
  now: EpochSeconds,
): recording is Recording => recording !== undefined && now < recording.until;

/** Whether calls of somebody are recorded, of one tool at least. @param names - their id, their e-mail */
export const recordsCallsOf = ({ subjects }: Recording, ...names: readonly string[]): boolean =>
  subjects === undefined || names.some((name) => subjects.includes(name));
