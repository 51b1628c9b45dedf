import type { CREDENTIAL_OUTCOMES } from '../../platform/rules/metrics/metrics.ts';

/** One version of one deployment's credential. */
export interface CredentialRef {
  readonly deploymentId: string;
  readonly ownerId: string;
  readonly version: string;
}

/** On whose behalf a credential is retrieved. Source: docs/decisions/credentials.md, "Credentials". */
export interface CredentialUse {
  /** The subject that the request's limits count. */
  readonly user: string;
  readonly ip: string;
  readonly userAgent?: string | undefined;
  /** The correlation id. */
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
