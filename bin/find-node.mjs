// Finds the Node that this repository's programs need. Runs on any Node from 18 on and needs nothing
// itself.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Of a checkout, which starts its sources as they are. */
export const OLDEST_NODE = [24, 9];

/** Of our packages, whose bundles are made for it: what other people and their pipelines have. */
export const OLDEST_NODE_OF_PACKAGES = [20, 0];

export const checkout = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Whether the Node that runs this is new enough. */
export function isThisNode(oldest = OLDEST_NODE) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/** The Node that was installed as a package, or undefined. */
export function installedNode() {
  return ['node_modules/node/bin/node', 'node_modules/node/bin/node.exe']
    .map((path) => join(checkout, path))
    .find((path) => existsSync(path));
}

export function missingNode(oldest = OLDEST_NODE) {
  return `Node ${oldest.join('.')} or newer is needed, this is ${process.versions.node}`;
}
