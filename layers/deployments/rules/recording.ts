import * as z from 'zod/mini';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';

const moment = z.int().check(z.minimum(0));

export const RECORDING_DAYS = [1, 30] as const;

/** Recording as the router sees it, which encrypts for a key that only management reads. Source: docs/recordings.md. */
export const Recording = z.object({
  /** X25519 public key, raw, base64url. */
  publicKey: z.string(),
  /** Calls before it are not recorded. */
  since: moment,
  /** End of the recording, when what was recorded is removed. */
  until: moment,
  /** Tool, or operation in search mode; absent: all. */
  tool: z.exactOptional(z.string()),
  /** One person under all their names, the one that the owner typed among them; absent: everybody. */
  subjects: z.exactOptional(z.array(z.string()).check(z.minLength(1))),
});
export type Recording = ValueOf<typeof Recording>;

/** Key pair of a deployment's recordings. Deleting it makes them unreadable. */
export const RecordingKey = z.object({
  publicKey: z.string(),
  privateKey: z.string(),
  since: moment,
  until: moment,
  /** When the owner switched the recording off, before `until`. */
  endedAt: z.exactOptional(moment),
});
export type RecordingKey = ValueOf<typeof RecordingKey>;

export const isRecording = (
  recording: Recording | undefined,
  now: EpochSeconds,
): recording is Recording => recording !== undefined && now < recording.until;

/** Whether any call of a person is recorded. @param names - their id, their e-mail */
export const recordsCallsOf = ({ subjects }: Recording, ...names: readonly string[]): boolean =>
  subjects === undefined || names.some((name) => subjects.includes(name));
