import * as z from 'zod/mini';
import { type Fingerprint, FingerprintText } from '../../../platform/rules/fingerprint.ts';
import type { ValueOf } from '../../../platform/rules/shape.ts';
import { type EpochSeconds, MINUTE } from '../../../platform/rules/time.ts';

/** What a grant notes of the refresh tokens of a public client. */
export const Rotation = z.object({
  /** The token that was used last; none before the first use. */
  used: z.exactOptional(FingerprintText),
  /** Tokens that may follow it, and when each was issued. */
  next: z.record(FingerprintText, z.int()),
  /** Of the used one. */
  generation: z.int(),
  /** When this was noted; absent before the first use. */
  at: z.exactOptional(z.int()),
});
export type Rotation = ValueOf<typeof Rotation>;

export interface Refreshes {
  readonly rotation?: Rotation;
  /** The latest generation of refresh tokens of which one was used. */
  readonly usedGeneration: number;
  readonly refreshedAt?: EpochSeconds;
}

export interface ShownToken {
  readonly fingerprint: Fingerprint;
  readonly generation: number;
}

/**
 * - `advances`: a successor that is noted, used for the first time
 * - `repeats`: the one that was used last; the answer may have been lost, or two asked at once
 * - `begins`: nothing is noted of its time, as in grants that were stored before there were notes, or that an
 *   earlier version of the service has refreshed since; only its generation speaks
 * - `reuse`: two hold what one should have
 */
export type RotationStep = 'advances' | 'repeats' | 'begins' | 'reuse';

/**
 * What showing a refresh token means for its grant.
 *
 * Source: RFC 9700 §4.14.2; docs/decisions/oauth.md, "Refresh tokens".
 */
export const rotationStep = (
  { rotation, usedGeneration, refreshedAt }: Refreshes,
  { fingerprint, generation }: ShownToken,
): RotationStep => {
  if (generation < usedGeneration) return 'reuse';
  if (rotation?.used === fingerprint) return 'repeats';
  if (rotation && Object.hasOwn(rotation.next, fingerprint)) return 'advances';
  const isWhole = rotation?.generation === usedGeneration && rotation.at === refreshedAt;
  return isWhole ? 'reuse' : 'begins';
};

/** Requests that one client sends at once are answered within this time. */
const AT_ONCE_SECONDS = MINUTE;

/**
 * Successors that a repetition replaces: whoever asks again after a minute has not got them. Of those that were
 * issued at once any may be the one that the client keeps.
 */
export const replacedBy = ({ next }: Rotation, now: EpochSeconds): readonly Fingerprint[] =>
  Object.entries(next)
    .filter(([, issuedAt]) => issuedAt + AT_ONCE_SECONDS < now)
    .map(([fingerprint]) => fingerprint as Fingerprint);
