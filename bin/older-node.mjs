// What makes a bundle run on a Node that is older than ours. esbuild translates syntax and leaves calls of the standard
// library as they are: those that the older Node lacks become functions of `older-node-library.ts`, and nothing of the
// globals of whoever loads the bundle is changed.
import { fileURLToPath } from 'node:url';
import { OLDEST_NODE_OF_PACKAGES } from './find-node.mjs';

/** Each call by the name of the function that stands for it. */
const REPLACED = {
  'Map.groupBy': 'mapGroupBy',
  'Object.groupBy': 'objectGroupBy',
  'Promise.withResolvers': 'promiseWithResolvers',
  'URL.parse': 'urlParse',
};

/** Of every package. */
export const engines = { node: `>=${OLDEST_NODE_OF_PACKAGES.join('.')}` };

/** Of esbuild. */
export const forOlderNode = {
  target: `node${OLDEST_NODE_OF_PACKAGES.join('.')}`,
  define: REPLACED,
  inject: [fileURLToPath(new URL('older-node-library.ts', import.meta.url))],
};
