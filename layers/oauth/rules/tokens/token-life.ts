import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { LimitValues } from '../../../limits/rules/limits.ts';
import { DAY } from '../../../platform/rules/time.ts';

/** The most that an owner can choose. */
const MOST = DAY;

type Limits = Pick<LimitValues, 'access_token_seconds'>;

/** For how long the access tokens of a deployment are good, in seconds: as its owner has chosen, or the service says. */
export const accessTokenSeconds = (
  { accessTokenSeconds: said }: Pick<Deployment, 'accessTokenSeconds'>,
  limits: Limits,
): number => (said === undefined ? limits.access_token_seconds : (said ?? MOST));

/** The longest of any deployment, for what has to be kept as long as one may be shown. */
export const longestAccessToken = ({ access_token_seconds: usual }: Limits): number =>
  Math.max(usual, MOST);
