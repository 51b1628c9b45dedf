/** Somebody whom an operator is asked about. */
export interface Person {
  /** Canonical. */
  readonly email: string;
  /** Of the accounts that they have or had. */
  readonly ids: readonly string[];
}

/** What a table holds about somebody, secrets and fingerprints of them left out. */
export interface PersonRecord {
  /** The table, by its name here, and the kind of item: `oauth GRANT`. */
  readonly place: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** Ids of accounts that it names the e-mail with. */
  readonly ids?: readonly string[];
  /** Ids of accounts that it names another address with. */
  readonly otherIds?: readonly string[];
  /**
   * Why `erase` leaves it: it goes with the account, it is what another owner has written, or it says that an
   * operator was here, with a fingerprint of the address.
   */
  readonly stays?: 'account' | 'owner' | 'trace';
}
