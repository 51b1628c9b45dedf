import { expect, test } from '@jest/globals';
import { timeouts } from '../../../layers/platform/aws/access.ts';

test('a client of AWS connects within a second, and waits for an answer as long as its deadline allows', () => {
  expect(timeouts({}, 3000, 2000)).toEqual({
    connectionTimeout: 1000,
    requestTimeout: 3000,
    throwOnRequestTimeout: true,
    socketTimeout: 2000,
  });
});

test('a client of a stand-in, which shares its machine, waits four times as long', () => {
  expect(timeouts({ endpoint: 'http://127.0.0.1:1' }, 3000)).toEqual({
    connectionTimeout: 4000,
    requestTimeout: 12_000,
    throwOnRequestTimeout: true,
    socketTimeout: 12_000,
  });
});
