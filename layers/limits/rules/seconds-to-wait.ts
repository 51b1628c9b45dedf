import type { EpochSeconds } from '../../platform/rules/time.ts';

/** Most requests take less time. A longer one may belong to a function that was killed. */
const USUAL_SECONDS = 4;
const SOON_SECONDS = 2;

export interface UnderWay {
  readonly begunAt: EpochSeconds;
  /** When it counts as abandoned. */
  readonly until: EpochSeconds;
}

/** `Retry-After` for what a running request blocks: soon if that has just begun, else when it counts as abandoned. */
export const secondsToWait = ({ begunAt, until }: UnderWay, now: EpochSeconds): number =>
  now < begunAt + USUAL_SECONDS ? SOON_SECONDS : Math.max(SOON_SECONDS, until - now);
