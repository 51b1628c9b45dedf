import type { CredentialRef, CredentialUse } from '../domain/credentials/credential-access.ts';
import type { StoredCredential } from '../domain/target/target.ts';

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
