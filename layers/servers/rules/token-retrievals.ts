import { TRIAL_TEXTS } from '../../connections/rules/credential-trial.ts';
import { TOKEN_FAILURE_REASONS } from '../../connections/rules/token-failure.ts';
import type { CredentialName } from '../../credentials/rules/credential-name.ts';
import { timeOf } from '../../platform/rules/time.ts';

/** Event of the last retrieval of a connected credential's token. */
export interface TokenRetrieval {
  readonly name: CredentialName;
  /** ISO 8601, or epoch seconds. */
  readonly at: string | number;
  readonly outcome: unknown;
  /** Error code of the token's issuer. */
  readonly code?: unknown;
}

/** Failure of a credential's last retrieval, and who can mend it; undefined if it succeeded, or there was none. */
export const failedRetrieval = (
  retrievals: readonly TokenRetrieval[],
  name: CredentialName,
): { readonly outcome: 'failed'; readonly what: string; readonly hint: string } | undefined => {
  const last = retrievals.find((one) => one.name === name);
  const reason = TOKEN_FAILURE_REASONS.find((one) => one === last?.outcome);
  if (!last || reason === undefined) return undefined;
  const time = typeof last.at === 'number' ? timeOf(last.at) : last.at;
  const code = typeof last.code === 'string' ? ` (${last.code})` : '';
  const what = `No token was given for it at ${time.slice(0, 16).replace('T', ' ')} UTC${code}, so that no call is sent.`;
  return { outcome: 'failed', what, hint: TRIAL_TEXTS[reason] };
};
