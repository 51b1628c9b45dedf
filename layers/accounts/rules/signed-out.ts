import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { User } from './user.ts';

type SignedOut = Pick<User, 'signedOutAt'>;
type SessionsEnded = Pick<User, 'sessionsEndedAt' | 'signedOutAt'>;

/** A sign-out is dated one second later, so that it ends what began in its own second; see `beginning`. */
export const signedOutFrom = (now: EpochSeconds): EpochSeconds => now + 1;

/** Creation time to record for a session or grant that begins now. */
export const beginning = (
  { signedOutAt, sessionsEndedAt = 0 }: SessionsEnded,
  now: EpochSeconds,
): EpochSeconds => Math.max(now, signedOutAt, sessionsEndedAt);

/**
 * Whether a minted token ended when its minter was signed out everywhere. Tokens minted by a user record the sign-outs
 * known then, so that a session that is just ending cannot mint one that survives.
 */
export const isMinterSignedOut = (
  user: SignedOut,
  token: { readonly createdAt: EpochSeconds; readonly minterSignedOutAt?: EpochSeconds },
): boolean => isSignedOut(user, token.minterSignedOutAt ?? token.createdAt);

/** Whether what began at this time ended when the user was signed out everywhere, such as by a password reset. */
export const isSignedOut = ({ signedOutAt }: SignedOut, beganAt: EpochSeconds): boolean =>
  beganAt < signedOutAt;

/** Whether a session or known device of this time has ended, with everything or with all sessions. */
export const isSessionOver = (
  { signedOutAt, sessionsEndedAt = 0 }: SessionsEnded,
  beganAt: EpochSeconds,
): boolean => beganAt < Math.max(signedOutAt, sessionsEndedAt);
