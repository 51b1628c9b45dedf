import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { CREDENTIAL_STORES } from '../../layers/credentials/rules/credential-stores.ts';
import { serversToChange, type ServersToChange } from './interleavings/changes.ts';
import { interleaved, type Place } from './interleavings/interleaved.ts';
import { pairsOf } from './interleavings/pairs.ts';

/** How many places are tried, the same ones in each run; `npm run interleavings` tries all of them. */
const SAMPLE = 8;

describe.each(CREDENTIAL_STORES)('two people change one server at once (%s)', (store) => {
  /** Of one owner, who changes them from two places. */
  let servers: ServersToChange;
  beforeAll(async () => {
    servers = await serversToChange(store);
  });
  afterAll(() => servers.service.stop());
  afterEach(() => servers.service.store.aws.faults.clear());

  test('and of two who set a credential calls carry what one of them was told is set', async () => {
    const pair = { first: 'a credential is set', second: 'another credential is set' };
    for (let nth = 1; ; nth += 1) {
      const faults = await interleaved(servers, { ...pair, nth, fails: false });
      if (!faults) break;
      expect(faults).toEqual([]);
    }
  });

  test('and nothing that was answered as done is lost, and nothing points to what is not there', async () => {
    const pairs = pairsOf(servers.changes, store);
    for (const place of sampled(pairs)) {
      expect((await interleaved(servers, place)) ?? []).toEqual([]);
    }
  });
});

test.each([
  ['recording is switched on again', 'what was recorded is removed'],
  ['a declaration is applied as it was planned', 'the name is changed'],
])('neither is lost where %s, and meanwhile %s', async (first, second) => {
  const servers = await serversToChange('envelope');
  for (let nth = 1; ; nth += 1) {
    const faults = await interleaved(servers, { first, second, nth, fails: false });
    if (!faults) break;
    expect(faults).toEqual([]);
  }
  await servers.service.stop();
});

/** Of a generator that gives the same in each run: Lehmer's, with the constants of Park and Miller. */
const sampled = (pairs: ReturnType<typeof pairsOf>): readonly Place[] => {
  let seed = 20_261_128;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  return Array.from({ length: SAMPLE }, () => ({
    ...pairs[next(pairs.length)]!,
    nth: 1 + next(3),
    fails: next(2) === 1,
  }));
};
