import { expect, test } from '@jest/globals';
import { collectWarnings } from '../../../layers/openapi/intake/findings.ts';
import { repairPlaces } from '../../../layers/openapi/intake/repair-places.ts';
import { growth, MOST_GROWTH } from '../../support/growth.ts';

test('paths that share parameters are looked through once each', async () => {
  const run = (size: number) => {
    const names = Array.from({ length: size }, (_, at) => `p${at}`);
    const parameters = names.map((name) => ({ name, in: 'path' }));
    const item = { $ref: '#/components/pathItems/Shared' };
    const paths = Object.fromEntries(names.map((name) => [`/${name}/{ x }/:y`, item]));
    repairPlaces(
      { paths, components: { pathItems: { Shared: { parameters } } } },
      'openapi-3.1',
      collectWarnings(),
    );
  };

  expect(await growth(run, 1000)).toBeLessThan(MOST_GROWTH);
});

test('blanks in a place are read once', async () => {
  const run = (size: number) => {
    const get = { parameters: [{ name: 'a', in: 'path' }] };
    const paths = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`/${at}/{a${' '.repeat(size)}b}`, { get }]),
    );
    repairPlaces({ paths }, 'openapi-3.1', collectWarnings());
  };

  expect(await growth(run, 480)).toBeLessThan(MOST_GROWTH);
});
