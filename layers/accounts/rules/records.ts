import type { User, MailPurpose, Session } from './user.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
export type ListedUser = Pick<User, 'id' | 'email' | 'plan' | 'operator' | 'createdAt'>;

export interface WantedMailToken {
  readonly purpose: MailPurpose;
  /** Of the address, which the token names by it. */
  readonly address: Fingerprint;
  readonly secret: Fingerprint;
}

export interface StoredSession {
  readonly id: Fingerprint;
  readonly session: Session;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
