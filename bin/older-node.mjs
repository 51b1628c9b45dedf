// Makes a bundle run on a Node that is older than ours. esbuild translates syntax and leaves calls of the standard
// library as they are: those that the older Node lacks become functions of `older-node-library.ts`, and no global of
// the program that loads the bundle changes.
import { fileURLToPath } from 'node:url';
import { OLDEST_NODE_OF_PACKAGES } from './find-node.mjs';

/** Calls that the older Node lacks, and the functions that replace them. */
const REPLACED = {
  'Map.groupBy': 'mapGroupBy',
  'Object.groupBy': 'objectGroupBy',
  'Promise.withResolvers': 'promiseWithResolvers',
  'URL.parse': 'urlParse',
};

/** Member `engines` of every package's package.json. */
export const engines = { node: `>=${OLDEST_NODE_OF_PACKAGES.join('.')}` };

/** Options of esbuild. */
export const forOlderNode = {
  target: `node${OLDEST_NODE_OF_PACKAGES.join('.')}`,
  define: REPLACED,
  inject: [fileURLToPath(new URL('older-node-library.ts', import.meta.url))],
};
