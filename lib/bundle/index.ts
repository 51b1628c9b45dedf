import { build, type BuildOptions, type Metafile } from 'esbuild';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FunctionName, functions, networkFunction } from '../../lambdas/manifest.ts';
import { leanSdk } from './aws-sdk.ts';
import { builtinsOnDemand } from './builtins.ts';
import { cachedLayer } from './layer-cache.ts';
import { consoleAsText, galleryAsText, longPasswords } from './texts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const LAYER_ROOT = '/opt';

export interface Bundles {
  /** The layer has a folder for each function below `nodejs/`. */
  readonly layer: string;
  readonly functions: Readonly<Record<FunctionName, string>>;
  readonly network: string;
}

interface BundleOptions {
  /** Where the layer will be; `/opt` on Lambda. */
  readonly layerRoot?: string | undefined;
  readonly onBundled?: (metafile: Metafile) => unknown;
  /** Folder of the layers that tests have made. */
  readonly cache?: string | undefined;
}

/**
 * Bundles every function into the layer, a folder each; a shared file would cost each cold start a look-up. The
 * function's own code is one line that imports its file of the layer by absolute path.
 * @param outputFolder - is emptied first
 */
export const bundle = async (
  outputFolder: string,
  { layerRoot = LAYER_ROOT, onBundled, cache }: BundleOptions = {},
): Promise<Bundles> => {
  rmSync(outputFolder, { recursive: true, force: true });
  const layer = join(outputFolder, 'layer');
  const make = () => makeLayer(layer);
  const metafiles = await (cache === undefined
    ? make()
    : cachedLayer({ cache, root: ROOT, layer, make }));
  if (onBundled) metafiles.forEach(onBundled);
  const folderOf = (name: string): string => {
    const folder = join(outputFolder, name);
    mkdirSync(folder, { recursive: true });
    const source = join(layerRoot, 'nodejs', name, 'index.mjs');
    writeFileSync(join(folder, 'index.mjs'), `export * from ${JSON.stringify(source)};\n`);
    return folder;
  };
  const folders = Object.fromEntries(Object.keys(functions).map((name) => [name, folderOf(name)]));
  return {
    layer,
    functions: folders as Record<FunctionName, string>,
    network: folderOf('network'),
  };
};

const makeLayer = (layer: string): Promise<readonly Metafile[]> =>
  Promise.all(
    Object.entries({ ...functions, network: networkFunction }).map(async ([name, { entry }]) => {
      const { metafile } = await build({
        ...OPTIONS,
        metafile: true,
        entryPoints: { index: entry },
        outdir: join(layer, 'nodejs', name),
      });
      return metafile;
    }),
  );

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
  // Splitting keeps one copy of each class in a function, so that `instanceof` holds.
  splitting: true,
  chunkNames: 'chunk-[hash]',
  plugins: [builtinsOnDemand(), leanSdk(), galleryAsText(), longPasswords(), consoleAsText()],
};
