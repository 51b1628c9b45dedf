import { describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../layers/core/adapters/system/clock.ts';
import { randomMint } from '../../../layers/core/adapters/system/mint.ts';

describe('the clock', () => {
  test('tells whole seconds since 1970', () => {
    const before = Math.floor(Date.now() / 1000);
    const now = systemClock().now();
    const after = Math.floor(Date.now() / 1000);

    expect(Number.isInteger(now)).toBe(true);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(after);
  });

  test('measures durations without going back', () => {
    const { elapsedMs } = systemClock();
    const first = elapsedMs();

    expect(elapsedMs()).toBeGreaterThanOrEqual(first);
  });
});

describe('the mint', () => {
  test('makes UUIDs of version 4, none twice', () => {
    const mint = randomMint();
    const ids = Array.from({ length: 1000 }, () => mint.id());

    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  test('makes secrets of 32 random bytes, none twice', () => {
    const mint = randomMint();
    const secrets = Array.from({ length: 1000 }, () => mint.secret());

    expect(new Set(secrets).size).toBe(1000);
    for (const secret of secrets) expect(secret).toMatch(/^[\w-]{43}$/);
  });
});
