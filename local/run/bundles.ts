import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';

/** The file of each function in a folder that `lib/bundle` has written. */
export const bundlesIn = (folder: string): Readonly<Record<FunctionName, URL>> => {
  const names = Object.keys(functions) as FunctionName[];
  const urls = names.map((name) => [name, pathToFileURL(join(folder, name, 'index.mjs'))]);
  return Object.fromEntries(urls) as Readonly<Record<FunctionName, URL>>;
};
