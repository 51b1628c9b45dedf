import * as z from 'zod/mini';
import { type Fingerprint, FingerprintText } from '../../platform/rules/fingerprint.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';

const text = z.string();
const someText = z.string().check(z.minLength(1));

const UserIdentity = z.object({
  issuer: text,
  /** Of issuer, tenant and subject together. */
  subject: FingerprintText,
  /** That has the subject; absent: `sub`. */
  claim: z.exactOptional(text),
  /** They have signed in at the page of their company; absent: its word alone has come, in assertions. */
  signedIn: z.exactOptional(z.literal(true)),
  /** When the provider vouched for them last, at its page or when it was asked; absent: it is not asked. */
  checkedAt: z.exactOptional(z.int()),
  /** When they were at its page last. */
  lastSignIn: z.exactOptional(z.int()),
  /** When its word was issued that the account's address is of; absent: with its latest sign-in, or before this was stored. */
  addressAt: z.exactOptional(z.int()),
  /** It can be asked about them without them: a refresh token of theirs is kept. */
  checkable: z.exactOptional(z.literal(true)),
  /** Since when it vouches for them no more; absent: it does. */
  endedAt: z.exactOptional(z.int()),
  /** When it said so again, a day later; absent: it has not. */
  leftAt: z.exactOptional(z.int()),
  /** It opens the account of an operator, too: an operator has let it. */
  opensOperator: z.exactOptional(z.literal(true)),
});
export type UserIdentity = ValueOf<typeof UserIdentity>;

/** Somebody who has proven to read the mailbox of an address, or whom an operator vouches for. */
export const User = z.object({
  id: someText,
  /** Lower case. */
  email: someText,
  name: z.exactOptional(text),
  plan: z.enum(PLANS),
  /** With its parameters: `scrypt$N$r$p$salt$hash`. */
  passwordHash: text,
  /** Sessions and grants from before this moment have ended. Set by a password reset. */
  signedOutAt: z.int(),
  /** Sessions and known devices from before this moment have ended, and nothing else; absent: never. */
  sessionsEndedAt: z.exactOptional(z.int()),
  /** Subjects of identity providers that the account is known by, at most one of each issuer and claim. */
  identities: z.exactOptional(z.array(UserIdentity)),
  /** Until then a sign-in at this issuer may link the account of an operator. */
  mayLink: z.exactOptional(z.object({ issuer: text, until: z.int() })),
  /** For lists and menus to show: whether they are an operator the mark says, which stands elsewhere. */
  operator: z.exactOptional(z.literal(true)),
  createdAt: z.int(),
  /** Counts every change, for optimistic concurrency. */
  revision: z.int(),
});
export type User = ValueOf<typeof User>;

/** A signed-in person: a browser at the pages, or a program at the management API. */
export interface Session {
  readonly kind: 'browser' | 'api';
  readonly userId: string;
  /** Of the user, for access policies by address. */
  readonly email: string;
  readonly createdAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
  /** What the browser or program calls itself, for its user to know it by; a stranger's text. */
  readonly userAgent?: string;
  /** When its user has shown who they are, where that is not its beginning; 0 where nobody says when. */
  readonly signedInAt?: EpochSeconds;
  /** Their company, which does not say when, was told to ask them for it (`prompt=login`). */
  readonly askedAnew?: boolean;
  /** The id of the identity provider that has signed them in; absent: a password has. */
  readonly provider?: string;
}

/** What a one-time link to the console stands for: the session of the program that asked for it. */
export interface ConsoleLink {
  readonly session: Fingerprint;
  readonly expiresAt: EpochSeconds;
}

/** A browser or program that has signed in to an account; worth nothing without the password. */
export interface KnownDevice {
  /** Canonical. */
  readonly email: string;
  readonly createdAt: EpochSeconds;
  readonly expiresAt: EpochSeconds;
}

/**
 * What a link in a mail stands for: that its reader reads the mailbox, and nothing that anybody typed
 * before. Who follows the link chooses.
 */
export interface MailToken {
  readonly purpose: LinkPurpose;
  /** Canonical. */
  readonly email: string;
  readonly expiresAt: EpochSeconds;
}

/** What anybody may have mailed to an address. */
export type MailPurpose = 'sign_up' | 'reset_password';

/** A link of an invitation makes an account as that of a sign-up does; no sign-up of a stranger ends it. */
export const LINK_PURPOSES = ['sign_up', 'reset_password', 'invitation'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];
/** Behind which an account is made. */
export const MAKING: readonly LinkPurpose[] = ['sign_up', 'invitation'];

/** Why the owner of a server gets a mail about it. */
export const NOTICE_KINDS = [
  'credential_refused',
  'update_held_back',
  'description_unreachable',
  'server_given',
  'server_received',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Somebody asked for a mail; nothing in it is a secret, or says whether there is an account. */
export type MailRequest = AskedMail | BreakGlassMail | CompanyMail | InvitationMail;

/** An owner invites somebody to a server. */
export interface InvitationMail extends MailId {
  readonly purpose: 'invitation';
  readonly slug: string;
  /** The address of who invites. */
  readonly by: string;
  /** Whether an account can be made for the address without an operator. */
  readonly maySignUp: boolean;
  /** At which people of the address sign in, with no password. */
  readonly company?: { readonly id: string; readonly name: string };
}

/** An account for emergencies was opened by its password. */
export interface BreakGlassMail extends MailId {
  readonly purpose: 'break_glass_used';
  /** The address of that account. */
  readonly by: string;
}

/** A company has opened an account for the first time, which has another holder than before if the address has. */
export interface CompanyMail extends MailId {
  readonly purpose: 'opened_by_company';
  /** As the list of identity providers calls it. */
  readonly company: string;
}

interface MailId {
  /** Of the request: a repetition has the same. */
  readonly id: string;
  /** Canonical. */
  readonly email: string;
}

interface AskedMail extends MailId {
  readonly purpose: MailPurpose | 'account_made' | NoticeKind;
  /** Of the server that a notice is about; of no other mail. */
  readonly slug?: string;
}
