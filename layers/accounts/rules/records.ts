import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import { type LinkPurpose, type Session, User } from './user.ts';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';

export const ListedUser = z.pick(User, {
  id: true,
  email: true,
  plan: true,
  operator: true,
  createdAt: true,
});
export type ListedUser = ValueOf<typeof ListedUser>;

export interface WantedMailToken {
  readonly purpose: LinkPurpose;
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
