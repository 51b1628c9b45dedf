import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../layers/platform/system/clock.ts';
import { systemRandom } from '../../../layers/platform/system/random.ts';

describe('the system clock', () => {
  test('returns whole seconds since 1970', () => {
    const before = Math.floor(Date.now() / 1000);
    const now = systemClock().now();
    const after = Math.floor(Date.now() / 1000);

    expect(Number.isInteger(now)).toBe(true);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(after);
  });

  test('measures durations monotonically', () => {
    const { elapsedMs } = systemClock();
    const first = elapsedMs();

    expect(elapsedMs()).toBeGreaterThanOrEqual(first);
  });
});

describe('the source of random values', () => {
  test('makes unique UUIDs of version 4', () => {
    const random = systemRandom();
    const ids = Array.from({ length: 1000 }, () => random.id());

    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  test('makes unique secrets of 32 random bytes', () => {
    const random = systemRandom();
    const secrets = Array.from({ length: 1000 }, () => random.secret());

    expect(new Set(secrets).size).toBe(1000);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
  });
});
