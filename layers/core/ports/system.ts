import type { LimitValues } from '../domain/access/limits.ts';
import type { EpochSeconds } from '../domain/time.ts';

export interface Clock {
  /** Epoch seconds, whole. */
  now(): EpochSeconds;
  /** Milliseconds on a clock that never goes back, for durations only. */
  elapsedMs(): number;
}

/** Randomness. */
export interface Mint {
  /** A UUID, version 4. */
  id(): string;
  /** 32 random bytes, base64url. */
  secret(): string;
}

export interface Settings {
  /** Ends in `/v1`, no trailing slash. Source: D1. */
  readonly baseUrl: string;
  readonly limits: LimitValues;
  /** Private-use redirect URIs that the operator allows, each exact; absent: none. Source: D21. */
  readonly allowedRedirectUris?: readonly string[];
  /** Whether the authorization server's document is at the origin's root as well; absent: no. Source: D2. */
  readonly rootAuthorizationServer?: boolean;
}
