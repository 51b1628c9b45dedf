import { describe, expect, test } from '@jest/globals';
import {
  type HeldCredential,
  isFresh,
  mayOutlive,
  pausedUntil,
} from '../../../layers/credentials/store/cached-credentials.ts';

const NOON = 1_795_176_000;
const MINUTE = 60;

const held = (over: Partial<HeldCredential> = {}): HeldCredential => ({
  credential: { type: 'bearer', token: 'secret', origins: [] },
  version: 'v1',
  fetchedAt: NOON,
  pausedUntil: NOON,
  former: [],
  ...over,
});

describe('a cached credential of the target API', () => {
  test.each([
    ['as soon as it was fetched', 0, true],
    ['until five minutes have passed', 5 * MINUTE - 1, true],
    ['but not from five minutes on', 5 * MINUTE, false],
    ['but not before it was fetched', -1, false],
  ])('is fresh %s', (_, seconds, fresh) => {
    expect(isFresh(held(), NOON + seconds)).toBe(fresh);
  });

  test.each([
    ['unavailable', 20 * MINUTE - 1, true],
    ['unavailable', 20 * MINUTE, false],
    ['limited', 20 * MINUTE - 1, true],
    ['limited', 20 * MINUTE, false],
    ['denied', 5 * MINUTE, false],
    ['missing', 5 * MINUTE, false],
  ] as const)('may be used on the failure "%s" after %i s: %s', (why, seconds, may) => {
    expect(mayOutlive(held(), why, NOON + seconds)).toBe(may);
  });

  test('serves without a retry for ten seconds after a failure, within its 20 minutes', () => {
    const failedAt = NOON + 6 * MINUTE;
    const stale = held({ pausedUntil: pausedUntil(failedAt) });

    expect(isFresh(stale, failedAt + 9)).toBe(true);
    expect(isFresh(stale, failedAt + 10)).toBe(false);
    expect(isFresh(held({ pausedUntil: NOON + 9999 }), NOON + 20 * MINUTE)).toBe(false);
  });
});
