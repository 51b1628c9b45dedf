/** A person whose data an operator exports or erases. */
export interface Person {
  readonly email: string;
  /** Ids of all accounts that they have or had. */
  readonly ids: readonly string[];
}

/** An item about a person, without secrets and their fingerprints. */
export interface PersonRecord {
  /** Table and kind of item, such as `oauth GRANT`. */
  readonly place: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** Account ids that the item connects with the person's e-mail. */
  readonly ids?: readonly string[];
  /** Account ids that the item connects with another address. */
  readonly otherIds?: readonly string[];
  /**
   * Why `erase` keeps the item: it is removed with the account, another owner has written it, or it records an
   * operator's action under a fingerprint of the address.
   */
  readonly stays?: 'account' | 'owner' | 'trace';
}
