// Finds the Node that this repository's programs need. Runs on any Node from 18 on and needs nothing
// itself.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Oldest Node that runs a checkout: its TypeScript sources start without a build. */
export const OLDEST_NODE = [24, 9];

/** Oldest Node that runs our packages, whose bundles are translated for it. */
export const OLDEST_NODE_OF_PACKAGES = [20, 0];

export const checkout = join(dirname(fileURLToPath(import.meta.url)), '..');

export function isThisNode(oldest = OLDEST_NODE) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

/** The Node that npm installed as a package of the checkout, or undefined. */
export function installedNode() {
  return ['node_modules/node/bin/node', 'node_modules/node/bin/node.exe']
    .map((path) => join(checkout, path))
    .find((path) => existsSync(path));
}

export function missingNode(oldest = OLDEST_NODE) {
  return `Node ${oldest.join('.')} or newer is needed, this is ${process.versions.node}`;
}
