import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { counterKey, leaseKey, usageKey } from '../../../layers/platform/dynamodb/keys.ts';

describe('what is counted for a subject', () => {
  const keysOf = (subject: string) => [
    counterKey({ limit: 'token_per_minute_per_client', subject, start: 0 }).pk,
    leaseKey({ limit: 'trials_at_once_per_user', subject, slot: 0 }).pk,
    usageKey(subject).pk,
  ];

  test('is not that of another one, whoever sends what a long one has become', () => {
    const long = 'https://client.example/'.padEnd(300, 'x');
    const [become = ''] = /(?<=USAGE#).*$/.exec(usageKey(long).pk) ?? [];
    const hash = become.slice(-64);
    const subjects = [long, `${long}y`, become, hash, become.slice(0, 256), `#${hash}`];
    for (const index of [0, 1, 2]) {
      const keys = subjects.map((subject) => keysOf(subject)[index]);
      expect(new Set(keys).size).toBe(subjects.length);
    }
  });

  test('fits a key of DynamoDB, which has 2,048 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (subject) => {
        for (const key of keysOf(subject)) expect(Buffer.byteLength(key)).toBeLessThan(2048);
      }),
    );
  });
});
