import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { bundle } from '../../lib/bundle/index.ts';
import type { ServiceSettings } from '../../local/run/service.ts';

const POLL_MS = 50;

/**
 * The bundles that are deployed, for the whole services of this run of the tests: made by whichever
 * test file is the first to want them. They start in a third of the time that the sources take.
 *
 * @returns nothing outside of a run, where the functions start from their sources
 * @throws Error if they cannot be made
 */
export const bundlesOfThisRun = async (): Promise<Pick<ServiceSettings, 'bundles'>> => {
  const folder = process.env['HOSTED_MCP_TEST_BUNDLES'];
  if (folder === undefined) return {};
  while (!existsSync(folder)) {
    if (isMine(`${folder}.making`))
      await makeAt(folder).finally(() => rmdirSync(`${folder}.making`));
    else await setTimeout(POLL_MS);
  }
  const names = Object.keys(functions) as FunctionName[];
  const urls = names.map((name) => [name, pathToFileURL(join(folder, name, 'index.mjs'))]);
  return { bundles: Object.fromEntries(urls) as Readonly<Record<FunctionName, URL>> };
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

const makeAt = async (folder: string): Promise<void> => {
  if (existsSync(folder)) return;
  await bundle(`${folder}.new`, join(folder, 'layer'));
  renameSync(`${folder}.new`, folder);
};
