import type { CredentialPlace, CredentialRef } from './credential-access.ts';
import type { StoredCredential } from '../../target/rules/credential.ts';
/** Where management puts credentials. What it has put, it cannot read. */
export interface CredentialVault {
  /**
   * Adds a version, or does nothing if it is there. The version that it replaces stays readable until
   * the one after, so that whatever breaks off here leaves the old one in use.
   *
   * @param replaces - the version that the deployment uses now
   * @returns `too_often` where the store takes no more of one day, and keeps what it has
   * @throws Fault
   */
  put(
    ref: CredentialRef,
    credential: StoredCredential,
    replaces: string | undefined,
  ): Promise<'stored' | 'too_often'>;
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
