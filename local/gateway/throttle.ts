/** Limit of a route of an HTTP API: `burst` requests at once, then so many a second. */
export interface Throttle {
  readonly requestsPerSecond: number;
  readonly burst: number;
}

/** Source: API Gateway Developer Guide, "Throttle requests to your HTTP APIs" (token bucket). */
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
