import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { User } from './user.ts';

type SignedOut = Pick<User, 'signedOutAt'>;
type SessionsEnded = Pick<User, 'sessionsEndedAt' | 'signedOutAt'>;

/**
 * Moments are whole seconds. So that a password reset ends what began in its own second, and what
 * begins after it in that second lives, a reset is dated one second later, and so is what follows.
 */
export const signedOutFrom = (now: EpochSeconds): EpochSeconds => now + 1;

/** When a session or a grant that begins now is said to begin. */
export const beginning = (
  { signedOutAt, sessionsEndedAt = 0 }: SessionsEnded,
  now: EpochSeconds,
): EpochSeconds => Math.max(now, signedOutAt, sessionsEndedAt);

/**
 * Whether a minted token has been ended by a password reset or the removal of an account. One that a user
 * minted knows which sign-outs there had been, so that a session that just ends mints nothing that lives on.
 */
export const isMinterSignedOut = (
  user: SignedOut,
  token: { readonly createdAt: EpochSeconds; readonly minterSignedOutAt?: EpochSeconds },
): boolean => isSignedOut(user, token.minterSignedOutAt ?? token.createdAt);

/** Whether what began then has been ended by a password reset. */
export const isSignedOut = ({ signedOutAt }: SignedOut, beganAt: EpochSeconds): boolean =>
  beganAt < signedOutAt;

/** Whether a session, or a device that is known, from then has been ended by that or with the other sessions. */
export const isSessionOver = (
  { signedOutAt, sessionsEndedAt = 0 }: SessionsEnded,
  beganAt: EpochSeconds,
): boolean => beganAt < Math.max(signedOutAt, sessionsEndedAt);
