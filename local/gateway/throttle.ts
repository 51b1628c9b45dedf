/** Of a route of an HTTP API: so many requests at once, and so many a second from then on. */
export interface Throttle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/**
 * A bucket of tokens, as API Gateway throttles by: a request takes one, and is refused where there is none.
 *
 * @returns whether a request that comes at that time, in milliseconds, is let in
 * Source: API Gateway Developer Guide, "Throttle requests to your HTTP APIs".
 */
export const tokenBucket = ({ requestsPerSecond, burst }: Throttle) => {
  let tokens = burst;
  let filledAt = 0;
  return (nowMs: number): boolean => {
    tokens = Math.min(burst, tokens + ((nowMs - filledAt) / 1000) * requestsPerSecond);
    filledAt = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
};
