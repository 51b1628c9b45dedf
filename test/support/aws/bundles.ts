import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type FunctionName, functions } from '../../../lambdas/manifest.ts';
import { type Bundles, bundle } from '../../../lib/bundle/index.ts';
import { bundlesIn } from '../../../local/run/bundles.ts';
import type { ServiceSettings } from '../../../local/run/service.ts';

const POLL_MS = 50;

/**
 * The folder with the bundles that are deployed, for this run of the tests: made by whichever test
 * file is the first to want them. They start in a third of the time that the sources take.
 *
 * @returns nothing outside of a run, where the functions start from their sources
 * @throws Error if they cannot be made
 */
export const bundlesFolder = async (): Promise<string | undefined> => {
  const folder = process.env['HOSTED_MCP_TEST_BUNDLES'];
  if (folder === undefined) return undefined;
  return madeOnce(folder, async (making) => {
    const cache = process.env['HOSTED_MCP_LAYER_CACHE'];
    await bundle(making, { layerRoot: join(folder, 'layer'), cache });
  });
};

/**
 * A folder that the first who wants it makes, in this process or another of the same run of the tests.
 *
 * @param make - writes what is to be in it into another folder, which becomes this one when all is there
 * @throws Error if it cannot be made
 */
export const madeOnce = async (
  folder: string,
  make: (making: string) => Promise<void>,
): Promise<string> => {
  while (!existsSync(folder)) {
    if (isMine(`${folder}.making`)) {
      await makeAt(folder, make).finally(() => rmdirSync(`${folder}.making`));
    } else await setTimeout(POLL_MS);
  }
  return folder;
};

/** The same for services that start in the process of the test. */
export const bundlesOfThisRun = async (): Promise<Pick<ServiceSettings, 'bundles'>> => {
  const folder = await bundlesFolder();
  return folder === undefined ? {} : { bundles: bundlesIn(folder) };
};

/**
 * The bundles of this run as `bundle` gives them, for tests of what is in them.
 *
 * @throws Error outside of a run of the tests
 */
export const bundlesAsDeployed = async (): Promise<Bundles> => {
  const folder = await bundlesFolder();
  if (folder === undefined) throw new Error('only a run of the tests has bundles');
  const folders = Object.keys(functions).map((name) => [name, join(folder, name)]);
  return {
    layer: join(folder, 'layer'),
    functions: Object.fromEntries(folders) as Record<FunctionName, string>,
    network: join(folder, 'network'),
  };
};

/** Whoever makes the folder makes what it stands for. */
const isMine = (lock: string): boolean => {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
};

const makeAt = async (folder: string, make: (making: string) => Promise<void>): Promise<void> => {
  if (existsSync(folder)) return;
  await make(`${folder}.new`);
  renameSync(`${folder}.new`, folder);
};
