import type { EpochSeconds } from '../../platform/rules/time.ts';

/** Most of what waits for another request waits for less. What takes longer may be of a function that was killed. */
const USUAL_SECONDS = 4;
const SOON_SECONDS = 2;

export interface UnderWay {
  readonly begunAt: EpochSeconds;
  /** When it counts as abandoned, whatever became of it. */
  readonly until: EpochSeconds;
}

/** When something can work that another request is in the way of: soon where that has just begun, and else when it counts as abandoned. */
export const secondsToWait = ({ begunAt, until }: UnderWay, now: EpochSeconds): number =>
  now < begunAt + USUAL_SECONDS ? SOON_SECONDS : Math.max(SOON_SECONDS, until - now);
