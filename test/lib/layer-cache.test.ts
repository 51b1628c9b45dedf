import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { cachedLayer } from '../../lib/bundle/layer-cache.ts';

let folder: string;
let made: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-layers-'));
  made = 0;
  for (const name of ['lambdas', 'layers', 'console', 'lib/bundle']) await write(`${name}/one.ts`);
});
afterEach(() => rm(folder, { recursive: true }));

const write = async (path: string, text = 'one'): Promise<void> => {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), text);
};

/** @returns how often a layer was made so far, what is in this one, and what was bundled */
const layerOf = async (name: string, input = 'layers/one.ts'): Promise<readonly unknown[]> => {
  const layer = join(folder, 'out', name);
  const metafiles = await cachedLayer({
    cache: join(folder, 'cache'),
    root: folder,
    layer,
    make: async () => {
      made += 1;
      await write(`out/${name}/nodejs/index.mjs`, `made ${made}`);
      return [{ inputs: { [input]: {} }, outputs: {} } as unknown as Metafile];
    },
  });
  const text = await readFile(join(layer, 'nodejs/index.mjs'), 'utf8');
  return [made, text, metafiles.flatMap(({ inputs }) => Object.keys(inputs))];
};

describe('a layer in the cache for tests', () => {
  test('is copied where it was made of the same files', async () => {
    expect(await layerOf('a')).toEqual([1, 'made 1', ['layers/one.ts']]);
    expect(await layerOf('b')).toEqual([1, 'made 1', ['layers/one.ts']]);
  });

  test.each([
    'lambdas/one.ts',
    'layers/deep/new.ts',
    'layers/package.json',
    'console/one.ts',
    'lib/bundle/one.ts',
    'package-lock.json',
    'node_modules/.package-lock.json',
  ])('is made anew where %s has changed', async (path) => {
    await layerOf('a');
    await write(path, 'two');

    expect(await layerOf('b')).toEqual([2, 'made 2', ['layers/one.ts']]);
  });

  test('is not made anew for what is in no bundle', async () => {
    await layerOf('a');
    await write('test/one.ts', 'two');
    await write('layers/node_modules/one/index.js', 'two');

    expect(await layerOf('b')).toEqual([1, 'made 1', ['layers/one.ts']]);
  });

  test.each(['node_modules/one/index.js', 'layers/node_modules/one/index.js', 'left-out:bowser'])(
    'may have %s in it',
    async (input) => {
      expect(await layerOf('a', input)).toEqual([1, 'made 1', [input]]);
    },
  );

  test('has nothing in it whose change would not be noticed', async () => {
    await expect(layerOf('a', 'local/one.ts')).rejects.toThrow('local/one.ts is bundled');
    await expect(layerOf('b', 'local/one.ts')).rejects.toThrow('local/one.ts is bundled');
  });

  test('stays for the next three changes', async () => {
    for (const text of ['1', '2', '3', '4', '5']) {
      await write('layers/one.ts', text);
      await layerOf(text);
    }

    expect(await readdir(join(folder, 'cache'))).toHaveLength(4);
  });
});
