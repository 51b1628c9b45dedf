import type { Sealing } from '../../credentials/rules/deployment-credential.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { CredentialKind } from '../../target/rules/credential.ts';
import type { Trust } from '../../target/rules/target.ts';
import type { TokenFailureReason } from './token-failure.ts';
import type { SecretPlace } from './token-source.ts';

/** What management has the router try for an owner. */
export interface CredentialTrial {
  readonly deployment: Sealing & Trust & { readonly slug: string };
  readonly name: string;
  readonly type: CredentialKind;
  readonly version: string;
  readonly perCaller?: true;
  readonly sender: {
    readonly ip: string;
    readonly userAgent?: string | undefined;
    readonly requestId: string;
  };
}

/** How it went, with nothing secret in it. */
export type CredentialTrialResult =
  | {
      readonly works: true;
      /** Of the token, where others give one. */
      readonly expiresAt?: EpochSeconds;
      /** That it was given for, where its giver says so. */
      readonly scopes?: readonly string[];
      /** Where the secret of an OAuth client was taken, which its owner has not said. */
      readonly clientAuth?: SecretPlace;
    }
  | {
      readonly works: false;
      readonly reason: TokenFailureReason;
      /** What the giver of tokens calls its error. */
      readonly code?: string;
      /** What whoever refused it says, without what it was sent. */
      readonly said?: string;
    };

/** For the owner: what happened, and who mends it. */
export const TRIAL_TEXTS: Readonly<Record<TokenFailureReason, string>> = {
  limited: 'Tokens were asked for too often within a minute: try again in one.',
  missing: 'The store has no such credential any more: set it again.',
  denied:
    'The service is not allowed to read the credential. The operator of this service can mend that.',
  unavailable: 'The store of credentials cannot be had now: try again later.',
  token_endpoint_failed:
    'The server that gives tokens, or the login of the API, does not answer, or not with a token. It is asked again after ten seconds.',
  token_refused:
    'The server that gives tokens refuses the client, its secret or its scopes, or the API its login: check what was given against what it knows, and set the credential again.',
  login_answer_unusable:
    'The login was answered without a token at the place that is said: look at an answer of it, and set the credential again with the right `token`.',
  role_not_listed:
    'The operator of this service does not list the role any more: ask them, or set another one.',
  role_refused:
    'The account of the role does not let this service assume it: its trust policy has to say what was shown when the credential was set.',
  role_not_permitted:
    'This service is not permitted to assume the role by its own policies, whatever the role trusts. The operator of this service can mend that: its permissions boundary has to allow it.',
  token_endpoint_refused:
    'The token endpoint has another origin than when the credential was set, or no public address. Or the metadata are of another issuer. Nothing was sent there. If that is right, set the credential again.',
};
