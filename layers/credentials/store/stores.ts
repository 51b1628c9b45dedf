import type { CredentialPlace, CredentialRef } from '../rules/credential-access.ts';
import type { StoredCredential } from '../../target/rules/credential.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';

/** Where management puts credentials. What it has put, it cannot read. */
export interface CredentialVault {
  /**
   * Adds a version; the one before stays readable until the one after. A store that takes part in transactions gives
   * the write, to be committed with the deployment that points to it: of two people who set a credential at once, both
   * the pointer and the value are one's or the other's. Any other store has the version from then on, and does nothing
   * if it had it already: whatever breaks off leaves the old one in use.
   *
   * @returns the write, or `stored`; `too_often` where the store takes no more of one day, and keeps what it has
   * @throws Fault
   */
  put(ref: CredentialRef, credential: StoredCredential): Promise<Write | 'stored' | 'too_often'>;
  /**
   * What takes all versions away, to be committed with the deployment that lets go of them.
   *
   * @returns undefined for a store that takes part in no transaction: there is `remove`
   */
  removing(place: CredentialPlace): Write | undefined;
  /**
   * Adds a version that another store has held so far, unless a later one is there by now.
   *
   * @throws Fault
   */
  add(ref: CredentialRef, credential: StoredCredential): Promise<void>;
  /** All versions at once. Also when there are none. @throws Fault */
  remove(place: CredentialPlace): Promise<void>;
}

/** Those that give the router what calls carry have it: each for what it is the source of. */
export interface CredentialReader {
  /**
   * @returns undefined if there is no such version
   * @throws CredentialUnavailable denied
   * @throws Fault if the store is throttled or down
   */
  read(ref: CredentialRef): Promise<StoredCredential | undefined>;
}

/**
 * The store that a stage used before, while credentials move out of it: the maintenance function has it, and
 * no longer than `credential_store_former` names it.
 */
export interface FormerCredentials
  extends CredentialReader, CredentialVersions, Pick<CredentialVault, 'remove'> {}

/** What is known of stored credentials without reading one. */
export interface CredentialVersions {
  /** @returns undefined if there is none */
  find(place: CredentialPlace): Promise<CredentialVersionState | undefined>;
}

export interface CredentialVersionState {
  /** Those that a deployment may use. */
  readonly versions: readonly string[];
  /** It can be restored, and not be used meanwhile. */
  readonly isDeleted: boolean;
}
