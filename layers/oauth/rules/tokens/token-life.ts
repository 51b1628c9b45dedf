import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { LimitValues } from '../../../limits/rules/limits.ts';

type Chosen = Pick<Deployment, 'accessTokenSeconds'>;
type Limits = Pick<LimitValues, 'access_token_seconds' | 'refresh_token_seconds'>;

/**
 * For how long the access tokens of a deployment are good, in seconds: as its owner has chosen, or the service says,
 * where the owner has chosen nothing or taken that back. No owner lets people stay signed in for longer than the service does.
 */
export const accessTokenSeconds = (
  { accessTokenSeconds: said }: Chosen,
  { access_token_seconds: usual, refresh_token_seconds: signedIn }: Limits,
): number => Math.min(said ?? usual, Math.max(usual, signedIn));

/**
 * The same of a token for an identity assertion, which no owner prolongs: when it ends the company is asked again
 * whether its person may still have one, and nobody has to sign in for that.
 */
export const assertedTokenSeconds = (chosen: Chosen, limits: Limits): number =>
  Math.min(accessTokenSeconds(chosen, limits), limits.access_token_seconds);
