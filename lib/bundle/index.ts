import { build, type BuildOptions, type Metafile } from 'esbuild';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FunctionName, functions, networkFunction } from '../../lambdas/manifest.ts';
import { leanSdk } from './aws-sdk.ts';
import { builtinsOnDemand } from './builtins.ts';
import { consoleAsText, galleryAsText, longPasswords } from './texts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Where Lambda lays a layer out. */
const LAYER_ROOT = '/opt';

/** Folders that are ready to become assets. */
export interface Bundles {
  /** Has a folder of each function below `nodejs/`. */
  readonly layer: string;
  readonly functions: Readonly<Record<FunctionName, string>>;
  /** That of the function of a private network. */
  readonly network: string;
}

/**
 * Bundles the code of every function. The layer is a container: each function has a folder of its own in it, with one
 * file for what a cold start loads and one for each part that is loaded on demand, since a file that functions share
 * is a look-up more at each cold start. The function itself is one line that imports its file of the layer by absolute
 * path, so that nothing depends on how a runtime looks packages up.
 *
 * @param outputFolder - is emptied first
 * @param layerRoot - where the layer will stand; `/opt` on Lambda
 * @param onBundled - is told what came into each bundle
 */
export const bundle = async (
  outputFolder: string,
  layerRoot = LAYER_ROOT,
  onBundled: (metafile: Metafile) => unknown = () => undefined,
): Promise<Bundles> => {
  rmSync(outputFolder, { recursive: true, force: true });
  const layer = join(outputFolder, 'layer');
  const names = Object.keys(functions) as FunctionName[];
  const bundleOne = async (name: string, entry: string): Promise<string> => {
    const { metafile } = await build({
      ...OPTIONS,
      metafile: true,
      entryPoints: { index: entry },
      outdir: join(layer, 'nodejs', name),
    });
    onBundled(metafile);
    const folder = join(outputFolder, name);
    mkdirSync(folder, { recursive: true });
    const source = join(layerRoot, 'nodejs', name, 'index.mjs');
    writeFileSync(join(folder, 'index.mjs'), `export * from ${JSON.stringify(source)};\n`);
    return folder;
  };
  const bundled = names.map(
    async (name) => [name, await bundleOne(name, functions[name].entry)] as const,
  );
  const network = await bundleOne('network', networkFunction.entry);
  const folders = Object.fromEntries(await Promise.all(bundled));
  return { layer, functions: folders as Record<FunctionName, string>, network };
};

const OPTIONS: BuildOptions = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  legalComments: 'none',
  mainFields: ['module', 'main'],
  absWorkingDir: ROOT,
  logLevel: 'warning',
  outExtension: { '.js': '.mjs' },
  // One copy of each class in a function, so that `instanceof` holds.
  splitting: true,
  chunkNames: 'chunk-[hash]',
  plugins: [builtinsOnDemand(), leanSdk(), galleryAsText(), longPasswords(), consoleAsText()],
};
