import type { Plan } from '../plan.ts';
import type { EpochSeconds } from '../time.ts';

export interface User {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name?: string;
  readonly plan: Plan;
  /** With its parameters: `scrypt$N$r$p$salt$hash`. */
  readonly passwordHash: string;
  /** Sessions and grants from before this moment have ended. Set by a password reset. */
  readonly signedOutAt: EpochSeconds;
  readonly createdAt: EpochSeconds;
  /** Counts every change, for optimistic concurrency. */
  readonly revision: number;
}

/** A signed-in person: a browser at the pages, or a program at the management API. */
export interface Session {
  readonly kind: 'browser' | 'api';
  readonly userId: string;
  readonly createdAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

export interface FailedLogins {
  readonly failures: number;
  readonly failedAt: EpochSeconds;
}

/** What a link in a mail stands for. */
export interface MailToken {
  readonly purpose: 'verify_email' | 'reset_password';
  readonly userId: string;
  /**
   * The password of the very sign-up that the mail confirms: whoever else signs up with the same
   * address, the link in a mail never lets their password in.
   */
  readonly passwordHash?: string;
  readonly expiresAt: EpochSeconds;
}
