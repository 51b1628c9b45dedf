import type { FailedLogins, MailToken, Session, User } from '../domain/accounts/user.ts';
import type { Fingerprint } from '../domain/oauth/records.ts';
import type { EpochSeconds } from '../domain/time.ts';

export interface Users {
  find(id: string): Promise<User | undefined>;
  findByEmail(email: string): Promise<User | undefined>;
  /** The e-mail's pointer first, then the user; repairs what a crash left. @returns false if the e-mail is taken */
  create(user: User): Promise<boolean>;
  /** Writes if the stored one still has `revision - 1`. @returns false otherwise */
  replace(user: User): Promise<boolean>;
  /** The user first, then the e-mail's pointer: one without its user hinders nobody. May be repeated. */
  remove(user: User): Promise<void>;
}

export interface MailTokens {
  put(token: Fingerprint, record: MailToken): Promise<void>;
  /** Not once it was taken. */
  find(token: Fingerprint): Promise<MailToken | undefined>;
  /** @returns the record to exactly one caller */
  take(token: Fingerprint): Promise<MailToken | undefined>;
}

/** Failed sign-ins per e-mail, whether or not anybody has it. Source: spec, "Account lockout"; D28, D37. */
export interface Lockouts {
  read(email: string): Promise<FailedLogins | undefined>;
  /** Atomic. @returns the state with this failure */
  recordFailure(email: string, now: EpochSeconds): Promise<FailedLogins>;
  reset(email: string): Promise<void>;
}

export interface Sessions {
  put(id: Fingerprint, session: Session): Promise<void>;
  find(id: Fingerprint): Promise<Session | undefined>;
  end(id: Fingerprint): Promise<void>;
}

/** scrypt; at most one runs at a time. Source: D28. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time for a missing hash as for a wrong password. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
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

/** ES256 with a key that never leaves KMS. Source: D26. */
export interface Signer {
  /** A compact JWS. @param type - the `typ` header, for example `at+jwt` */
  sign(type: string, claims: Readonly<Record<string, unknown>>): Promise<string>;
}

export interface SigningKeys {
  /** Public JWKs with `kid`, `alg` and `use`; cached. */
  list(): Promise<readonly Readonly<Record<string, unknown>>[]>;
}
