import * as z from 'zod/mini';
import { type Fingerprint, FingerprintText } from '../../platform/rules/fingerprint.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

const text = z.string();
const someText = z.string().check(z.minLength(1));

const UserIdentity = z.object({
  issuer: text,
  /** Hash of issuer, tenant and subject. */
  subject: FingerprintText,
  /** Claim that contains the subject; absent: `sub`. */
  claim: z.exactOptional(text),
  /** The user has signed in at the provider's page; absent: known by identity assertions only. */
  signedIn: z.exactOptional(z.literal(true)),
  /** When the provider last vouched, by a sign-in or a check; absent: it is not asked. */
  checkedAt: z.exactOptional(z.int()),
  lastSignIn: z.exactOptional(z.int()),
  /** Issue time of the claim that set the account's address; absent: at the latest sign-in, or an older record. */
  addressAt: z.exactOptional(z.int()),
  /** A refresh token is stored, so the provider can be asked without the user. */
  checkable: z.exactOptional(z.literal(true)),
  /** Since when the provider no longer vouches; absent: it does. */
  endedAt: z.exactOptional(z.int()),
  /** When the provider said a day later that it still does not vouch; absent: not yet. */
  leftAt: z.exactOptional(z.int()),
  /** An operator has allowed this identity to sign in to an operator's account. */
  opensOperator: z.exactOptional(z.literal(true)),
});
export type UserIdentity = ValueOf<typeof UserIdentity>;

/** A person who has proven access to a mailbox, or for whom an operator vouches. */
export const User = z.object({
  id: someText,
  /** Canonical: in lower case. */
  email: someText,
  name: z.exactOptional(text),
  plan: z.enum(PLANS),
  /** scrypt with its parameters: `scrypt$N$r$p$salt$hash`. */
  passwordHash: text,
  /** Sessions, grants and tokens of before this time have ended, such as by a password reset or an operator. */
  signedOutAt: z.int(),
  /** Only sessions and known devices made before this time have ended; absent: never. */
  sessionsEndedAt: z.exactOptional(z.int()),
  /** Trusts in machines from before this time have ended, as an operator ended the account; absent: never. */
  trustsEndedAt: z.exactOptional(z.int()),
  /** Identities that sign in to the account, at most one per issuer and claim. */
  identities: z.exactOptional(z.array(UserIdentity)),
  /** Until this time, a sign-in at this issuer may be linked to an operator's account. */
  mayLink: z.exactOptional(z.object({ issuer: text, until: z.int() })),
  /** Display only: authority comes from `OperatorMarks`, stored elsewhere. */
  operator: z.exactOptional(z.literal(true)),
  createdAt: z.int(),
  revision: z.int(),
});
export type User = ValueOf<typeof User>;

/** A signed-in person: a browser at the pages, or a program at the management API. */
export interface Session {
  readonly kind: 'browser' | 'api';
  readonly userId: string;
  /** Address of the user, for access policies. */
  readonly email: string;
  readonly createdAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  /** `User-Agent` header, by which the user recognizes the session; untrusted text. */
  readonly userAgent?: string;
  /** When the user authenticated, if not at the session's start; 0 if the provider sends no `auth_time`. */
  readonly signedInAt?: EpochSeconds;
  /** The provider sends no `auth_time` but was asked for `prompt=login`. */
  readonly askedAnew?: boolean;
  /** Id of the identity provider used; absent: a password. */
  readonly provider?: string;
}

export interface ConsoleLink {
  readonly session: Fingerprint;
  readonly expiresAt: EpochSeconds;
}

/** A browser or program that has signed in to an account before; useless without the password. */
export interface KnownDevice {
  readonly email: string;
  readonly createdAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/** Link in a mail: its holder can read the mailbox, and chooses name and password; nothing typed before is kept. */
export interface MailToken {
  readonly purpose: LinkPurpose;
  readonly email: string;
  readonly expiresAt: EpochSeconds;
}

/** Mails that anybody can request for any address. */
export type MailPurpose = 'sign_up' | 'reset_password';

/** An invitation's link creates an account like a sign-up's, but a sign-up request does not invalidate it. */
export const LINK_PURPOSES = ['sign_up', 'reset_password', 'invitation'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];
/** Purposes whose link creates an account. */
export const MAKING: readonly LinkPurpose[] = ['sign_up', 'invitation'];

/** Reasons for mails to the owner of a server. */
export const NOTICE_KINDS = [
  'credential_refused',
  'update_held_back',
  'description_unreachable',
  'server_given',
  'server_received',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Request to send a mail; contains no secret, and nothing that reveals whether an account exists. */
export type MailRequest = AskedMail | BreakGlassMail | CompanyMail | InvitationMail;

export interface InvitationMail extends MailId {
  readonly purpose: 'invitation';
  readonly slug: string;
  /** Address of the inviting owner. */
  readonly by: string;
  readonly maySignUp: boolean;
  /** Identity provider that signs this address in without a password. */
  readonly company?: { readonly id: string; readonly name: string };
}

/** Somebody signed in to a break-glass account with its password. */
export interface BreakGlassMail extends MailId {
  readonly purpose: 'break_glass_used';
  /** Address of that account. */
  readonly by: string;
}

/** First company sign-in to an existing account; its holder may have changed with the address. */
export interface CompanyMail extends MailId {
  readonly purpose: 'opened_by_company';
  readonly company: string;
}

interface MailId {
  /** Identifies the request; repetitions have the same id. */
  readonly id: string;
  readonly email: string;
}

interface AskedMail extends MailId {
  readonly purpose: MailPurpose | 'account_made' | NoticeKind;
  readonly slug?: string;
}
