import type { Sealing } from '../../credentials/rules/deployment-credential.ts';
import * as z from 'zod/mini';
import type { ValueOf } from '../../platform/rules/shape.ts';
import type { CredentialKind } from '../../target/rules/credential.ts';
import type { Trust } from '../../target/rules/target.ts';
import { TOKEN_FAILURE_REASONS, type TokenFailureReason } from './token-failure.ts';

/** Trial of a stored credential, which the management API has the router make for an owner. */
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

/** Outcome of a credential's trial. Holds no secret. */
export const CredentialTrialResult = z.discriminatedUnion('works', [
  z.object({
    works: z.literal(true),
    expiresAt: z.exactOptional(z.int()),
    scopes: z.exactOptional(z.array(z.string())),
    /** Where the token endpoint took the client's secret, if the owner left that open. */
    clientAuth: z.exactOptional(z.enum(['basic', 'post'])),
  }),
  z.object({
    works: z.literal(false),
    reason: z.enum(TOKEN_FAILURE_REASONS),
    code: z.exactOptional(z.string()),
    /** The issuer's words, with secrets that were sent masked. */
    said: z.exactOptional(z.string()),
  }),
]);
export type CredentialTrialResult = ValueOf<typeof CredentialTrialResult>;

/** For owners: what happened, and who can mend it. */
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
