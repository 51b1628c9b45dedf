import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { LimitValues } from '../../../limits/rules/limits.ts';

type Chosen = Pick<Deployment, 'accessTokenSeconds'>;
type Limits = Pick<LimitValues, 'access_token_seconds' | 'refresh_token_seconds'>;

/**
 * Life of access tokens in seconds: as the owner set it, else as the stage sets it. An owner's choice is cut to the
 * stage's life of refresh tokens, or to that of access tokens if it is longer.
 */
export const accessTokenSeconds = (
  { accessTokenSeconds: said }: Chosen,
  { access_token_seconds: usual, refresh_token_seconds: signedIn }: Limits,
): number => Math.min(said ?? usual, Math.max(usual, signedIn));

/**
 * Life of a token for an identity assertion, which owners cannot prolong: at its end the company is asked again,
 * without a new sign-in of the user.
 */
export const assertedTokenSeconds = (chosen: Chosen, limits: Limits): number =>
  Math.min(accessTokenSeconds(chosen, limits), limits.access_token_seconds);
