import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle, type Bundles } from '../lib/bundle/index.ts';

/** What is deployed, in a folder that is there as long as it is used. */
export const openBundles = async (): Promise<Bundles & AsyncDisposable> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const bundles = await bundle(folder, { layerRoot: join(folder, 'layer') });
  return { ...bundles, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
};
