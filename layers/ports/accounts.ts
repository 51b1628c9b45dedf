import type { FailedLogins } from '../accounts/rules/lockout.ts';
import type {
  ConsoleLink,
  KnownDevice,
  MailPurpose,
  MailRequest,
  MailToken,
  Session,
  User,
} from '../accounts/rules/user.ts';
import type { Undeliverable } from '../accounts/rules/undeliverable.ts';
import type { Fingerprint } from '../platform/rules/fingerprint.ts';
import type { SigningKeyRoles } from '../tokens/rules/jwt/signing-key-roles.ts';
import type { Page, PageQuery } from './management.ts';
import type { EpochSeconds } from '../platform/rules/time.ts';

export interface Users {
  find(id: string): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  /** By what stands for a subject of an identity provider. */
  findByIdentity(subject: Fingerprint): Promise<User | undefined>;
  /**
   * The same as `replace` for a change that adds an identity: `findByIdentity` finds the user from then on.
   *
   * @returns false also if it is somebody else's
   */
  link(user: User, subject: Fingerprint): Promise<boolean>;
  /** The same as `replace` for a change that takes identities away: nobody is found by them from then on. */
  unlink(user: User, subjects: readonly Fingerprint[]): Promise<boolean>;
  /** @returns false if the e-mail is taken */
  create(user: User): Promise<boolean>;
  /** Writes if the stored one still has `revision - 1`. @returns false otherwise */
  replace(user: User): Promise<boolean>;
  /** The same for a change that signs the user out everywhere: `SignOuts` tells of it from then on. */
  signOut(user: User): Promise<boolean>;
  /** Also if there is none. */
  remove(user: User): Promise<void>;
}

/**
 * Who is an operator, apart from what else is known of users: the function that serves owners writes users, and
 * may read this and no more.
 */
export interface OperatorMarks {
  has(userId: string): Promise<boolean>;
  put(userId: string): Promise<void>;
  /** Also if there is none. */
  remove(userId: string): Promise<void>;
}

/** All users by their e-mail addresses, as operators look for them. May lag behind a moment. */
export interface UserList {
  /**
   * In the order of the addresses.
   *
   * @param beginning - of the addresses, canonical; empty for all
   */
  page(beginning: string, page: PageQuery): Promise<Page<ListedUser>>;
}

export type ListedUser = Pick<User, 'id' | 'email' | 'plan' | 'operator' | 'createdAt'>;

/** All that is known of accounts where mails are sent. */
export interface Emails {
  /** @returns the id of its user */
  accountOf(email: string): Promise<string | undefined>;
}

/**
 * Addresses that are not written to any more. Source: docs/decisions/accounts.md, "Bounces and
 * complaints".
 */
export interface Undeliverables {
  find(email: string): Promise<Undeliverable | undefined>;
  /** @returns false if it was there already, and nothing is changed */
  put(email: string, record: Undeliverable): Promise<boolean>;
  /** Also if it is not there. */
  remove(email: string): Promise<void>;
}

/** At most one for each purpose and address. */
export interface MailTokens {
  /** Ends the one before of the same purpose and address. */
  put(secret: Fingerprint, record: MailToken): Promise<void>;
  /** Neither once it was taken, nor once another came after it. */
  find(wanted: WantedMailToken): Promise<MailToken | undefined>;
  /**
   * Keeps others from it until then, or until it is taken: whoever has it may be killed.
   *
   * @returns false while another caller has it, and for what `find` does not find
   */
  hold(wanted: WantedMailToken, until: EpochSeconds, now: EpochSeconds): Promise<boolean>;
  /** @returns the record to exactly one caller */
  take(wanted: WantedMailToken): Promise<MailToken | undefined>;
}

export interface WantedMailToken {
  readonly purpose: MailPurpose;
  /** Of the address, which the token names by it. */
  readonly address: Fingerprint;
  readonly secret: Fingerprint;
}

/**
 * Failed sign-ins per e-mail, whether or not anybody has it. Source: docs/decisions/accounts.md,
 * "Lockout".
 */
export interface Lockouts {
  /**
   * Counts a failure before anything is verified; atomic, given back by `reset`.
   *
   * @returns the state with this failure; undefined, and nothing counted, while the e-mail is locked
   */
  reserve(email: string, now: EpochSeconds): Promise<FailedLogins | undefined>;
  reset(email: string): Promise<void>;
}

/**
 * Browsers and programs that have signed in to an account before. Source: docs/decisions/accounts.md,
 * "Lockout".
 */
export interface KnownDevices {
  /** Known from now on, without failures. */
  remember(device: Fingerprint, known: KnownDevice): Promise<void>;
  /**
   * As `Lockouts.reserve`, for failures of this device alone.
   *
   * @returns undefined for a device that is not known to this account; without `failed` while it is locked
   */
  reserve(
    device: Fingerprint,
    email: string,
    now: EpochSeconds,
  ): Promise<{ readonly createdAt: EpochSeconds; readonly failed?: FailedLogins } | undefined>;
}

/** What those who cannot read users know of them. */
export interface SignOuts {
  /** `signedOutAt` of a user, as long as anything from before it could still be valid. */
  find(userId: string): Promise<EpochSeconds | undefined>;
}

export interface Sessions {
  put(id: Fingerprint, session: Session): Promise<void>;
  find(id: Fingerprint): Promise<Session | undefined>;
  end(id: Fingerprint): Promise<void>;
  /** The newest first, with those whose time is over. May lag behind a moment. */
  pageOfUser(userId: string, query: PageQuery): Promise<Page<StoredSession>>;
}

export interface StoredSession {
  readonly id: Fingerprint;
  readonly session: Session;
}

/** One-time links, by the fingerprint of their secret. */
export interface ConsoleLinks {
  put(link: Fingerprint, record: ConsoleLink): Promise<void>;
  /** Not once it was taken. */
  find(link: Fingerprint): Promise<ConsoleLink | undefined>;
  /** @returns true for exactly one of any number of callers: whoever may use the link */
  take(link: Fingerprint): Promise<boolean>;
}

/** scrypt; at most one runs at a time. Source: docs/decisions/accounts.md, "Passwords". */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time for a missing hash as for a wrong password. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

export interface CommonPasswords {
  /** Whether it is among those that are tried first, in whatever case. */
  has(password: string): Promise<boolean>;
}

/** Asks another function, which nobody waits for. Source: docs/decisions/accounts.md, "Who sends mails". */
export interface MailRequests {
  /** Resolves when the request is kept, which says nothing of the mail. */
  send(request: MailRequest): Promise<void>;
}

/** Mails to one recipient, of all kinds together, by hour and day. */
export interface MailCounts {
  /**
   * Counts a mail before it is sent; atomic. One that is tried again counts once.
   *
   * @param id - of the request for it
   * @returns false if it would be one too many
   */
  take(email: string, id: string, now: EpochSeconds): Promise<boolean>;
}

export interface Mailer {
  send(mail: Mail): Promise<void>;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** ES256 with a key that never leaves KMS. Source: docs/decisions/oauth.md, "Signing keys". */
export interface Signer {
  /** A compact JWS. @param type - the `typ` header, for example `at+jwt` */
  sign(type: string, claims: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface SigningKeys {
  /**
   * Public JWKs with `kid`, `alg` and `use`, the one that signs first; the same list as long as they are the same.
   *
   * @param keyId - a token's `kid`: one that is not known is looked for again, once in a while
   */
  list(keyId?: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** Which of the configured keys signs. */
export interface SigningKeyRegister {
  readonly keyIds: readonly string[];
  roles(): Promise<SigningKeyRoles>;
  /** Writes if what is stored has `revision - 1`. @returns false otherwise */
  replace(roles: SigningKeyRoles): Promise<boolean>;
}
