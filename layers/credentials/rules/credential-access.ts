import type { CREDENTIAL_OUTCOMES } from '../../platform/rules/metrics/metrics.ts';
import type { CredentialSource } from '../../target/rules/credential.ts';
import type { CredentialName } from './credential-name.ts';

/** Key of a stored credential. Credentials that only `connections` may read are stored apart. */
export interface CredentialPlace {
  readonly deploymentId: string;
  readonly name: CredentialName;
  readonly from: CredentialSource;
}

export interface CredentialRef extends CredentialPlace {
  readonly ownerId: string;
  /** Owner whose id the credential is sealed with: the first owner of the deployment. */
  readonly sealedFor: string;
  readonly version: string;
}

/** Caller on whose behalf a credential is retrieved. Source: docs/decisions/credentials.md, "Credentials". */
export interface CredentialUse {
  /** Subject that the limits of the request count. */
  readonly user: string;
  readonly ip: string;
  readonly userAgent?: string | undefined;
  readonly requestId: string;
}

export type CredentialFailure = Exclude<(typeof CREDENTIAL_OUTCOMES)[number], 'ok'>;

/** A credential could not be retrieved. `why` is logged and never holds the secret. */
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
