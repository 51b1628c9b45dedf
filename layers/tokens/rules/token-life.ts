import type { LimitValues } from '../../limits/rules/limits.ts';
import { DAY } from '../../platform/rules/time.ts';

/** The most that an owner can set for a deployment. */
export const MOST_ACCESS_TOKEN_SECONDS = DAY;

/** The longest life of any deployment's tokens: what must outlive them is stored that long. */
export const longestAccessToken = ({
  access_token_seconds: usual,
}: Pick<LimitValues, 'access_token_seconds'>): number => Math.max(usual, MOST_ACCESS_TOKEN_SECONDS);
