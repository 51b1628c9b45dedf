import type { CREDENTIAL_OUTCOMES } from '../../platform/rules/metrics/metrics.ts';
import type { CredentialSource } from '../../target/rules/credential.ts';
import type { CredentialName } from './credential-name.ts';

/** Where a credential of a deployment is stored: those that `connections` alone may read stand apart. */
export interface CredentialPlace {
  readonly deploymentId: string;
  readonly name: CredentialName;
  readonly from: CredentialSource;
}

/** One version of one of a deployment's credentials. */
export interface CredentialRef extends CredentialPlace {
  /** Who owns the deployment now. */
  readonly ownerId: string;
  /** Whose id its credentials are sealed with: that of the owner who had it first. */
  readonly sealedFor: string;
  readonly version: string;
}

/** On whose behalf a credential is retrieved. Source: docs/decisions/credentials.md, "Credentials". */
export interface CredentialUse {
  /** The subject that the request's limits count. */
  readonly user: string;
  readonly ip: string;
  readonly userAgent?: string | undefined;
  readonly requestId: string;
}

export type CredentialFailure = Exclude<(typeof CREDENTIAL_OUTCOMES)[number], 'ok'>;

/** A credential that could not be had. `why` is for the log; it never says what the credential is. */
export class CredentialUnavailable extends Error {
  override readonly name = 'CredentialUnavailable';
  readonly reason: CredentialFailure;
  readonly why: string;

  constructor(reason: CredentialFailure, why: string) {
    super(`${reason}: ${why}`);
    this.reason = reason;
    this.why = why;
  }
}
