import * as z from 'zod/mini';
import { type Fingerprint, FingerprintText } from '../../../platform/rules/fingerprint.ts';
import type { ValueOf } from '../../../platform/rules/shape.ts';
import { type EpochSeconds, MINUTE } from '../../../platform/rules/time.ts';

/** Refresh token rotation of a public client, as its grant stores it. */
export const Rotation = z.object({
  /** The last used token; none before the first use. */
  used: z.exactOptional(FingerprintText),
  /** Successors of the used token, with the times of their issue. */
  next: z.record(FingerprintText, z.int()),
  /** Of the used token. */
  generation: z.int(),
  /** Time of the last use; absent before the first. */
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
 * - `advances`: a known successor, used for the first time
 * - `repeats`: the last used token again, because the answer was lost or two requests were sent at once
 * - `begins`: nothing is stored for its generation, as in grants that an earlier version of the service stored or
 *   refreshed; only the generation is checked
 * - `reuse`: a stolen or copied token
 */
export type RotationStep = 'advances' | 'repeats' | 'begins' | 'reuse';

/** Source: RFC 9700 §4.14.2; docs/decisions/oauth.md, "Refresh tokens". */
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

/** Parallel requests of one client are answered within this time. */
const AT_ONCE_SECONDS = MINUTE;

/**
 * Successors that a repetition invalidates: those issued over a minute ago, whose answer was evidently lost. Of
 * successors issued at the same time, the client may keep any.
 */
export const replacedBy = ({ next }: Rotation, now: EpochSeconds): readonly Fingerprint[] =>
  Object.entries(next)
    .filter(([, issuedAt]) => issuedAt + AT_ONCE_SECONDS < now)
    .map(([fingerprint]) => fingerprint as Fingerprint);
