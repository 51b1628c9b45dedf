import type { CredentialRef, CredentialUse } from '../credentials/rules/credential-access.ts';
import type { StoredCredential } from '../target/rules/credential.ts';
import type { CredentialVersions } from './restore.ts';

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
  remove(deploymentId: string): Promise<void>;
}

/** The broker alone has it. */
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

/** The way from the router to the broker. */
export interface CredentialBroker {
  /** @throws CredentialUnavailable */
  fetch(ref: CredentialRef, use: CredentialUse): Promise<StoredCredential>;
}

/** What the router asks: the broker, remembered. */
export interface Credentials {
  /** @throws CredentialUnavailable */
  find(ref: CredentialRef, use: CredentialUse): Promise<StoredCredential>;
}

export interface RegistrableDomains {
  /** The domain that somebody has registered for a host: `example.co.uk`; none for an address or a public suffix. */
  of(host: string): Promise<string | undefined>;
}
