// Finds the Node that this repository's programs need. Runs on any Node from 18 on and needs nothing
// itself.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const OLDEST_NODE = [24, 9];

export const checkout = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Whether the Node that runs this is new enough. */
export function isThisNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** The Node that was installed as a package, or undefined. */
export function installedNode() {
  return ['node_modules/node/bin/node', 'node_modules/node/bin/node.exe']
    .map((path) => join(checkout, path))
    .find((path) => existsSync(path));
}

/** What is missing, in words. */
export function missingNode() {
  return `Node ${OLDEST_NODE.join('.')} or newer is needed, this is ${process.versions.node}`;
}
