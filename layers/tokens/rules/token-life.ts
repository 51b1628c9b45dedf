import type { LimitValues } from '../../limits/rules/limits.ts';
import { DAY } from '../../platform/rules/time.ts';

/** Seconds: the most that an owner can choose for the access tokens of a deployment. */
export const MOST_ACCESS_TOKEN_SECONDS = DAY;

/** The longest of any deployment, for what has to be kept as long as one may be shown. */
export const longestAccessToken = ({
  access_token_seconds: usual,
}: Pick<LimitValues, 'access_token_seconds'>): number => Math.max(usual, MOST_ACCESS_TOKEN_SECONDS);
