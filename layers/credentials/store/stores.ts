import type { CredentialPlace, CredentialRef } from '../rules/credential-access.ts';
import type { StoredCredential } from '../../target/rules/credential.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';

/** Write-only store of the management API: it cannot read what it has written. */
export interface CredentialVault {
  /**
   * Adds a version; the one before stays readable until the next. A store with transactions returns the write, to be
   * committed with the deployment that points to it: of two concurrent changes, pointer and value are both from one.
   * Any other store writes at once, and only once per version: until the deployment changes, the old version stays in
   * use.
   *
   * @returns the write, or `stored`; `too_often` where the store accepts no more versions that day
   * @throws Fault
   */
  put(ref: CredentialRef, credential: StoredCredential): Promise<Write | 'stored' | 'too_often'>;
  /** Write that removes all versions with the deployment's change; undefined without transactions: use `remove`. */
  removing(place: CredentialPlace): Write | undefined;
  /** Adds a version moved from another store, unless a later one exists. @throws Fault */
  add(ref: CredentialRef, credential: StoredCredential): Promise<void>;
  /** Removes all versions. Idempotent. @throws Fault */
  remove(place: CredentialPlace): Promise<void>;
}

/** Read access for the functions that serve the router, each limited to its own source. */
export interface CredentialReader {
  /**
   * @returns undefined if there is no such version
   * @throws CredentialUnavailable denied
   * @throws Fault if the store is throttled or down
   */
  read(ref: CredentialRef): Promise<StoredCredential | undefined>;
}

/** Store that the stage used before, as long as `credential_store_former` names it, for moving credentials out. */
export interface FormerCredentials
  extends CredentialReader, CredentialVersions, Pick<CredentialVault, 'remove'> {}

/** Metadata of stored credentials, for functions that may not read them. */
export interface CredentialVersions {
  /** @returns undefined if there is none */
  find(place: CredentialPlace): Promise<CredentialVersionState | undefined>;
}

export interface CredentialVersionState {
  readonly versions: readonly string[];
  /** Scheduled for deletion: unusable, but restorable. */
  readonly isDeleted: boolean;
}
