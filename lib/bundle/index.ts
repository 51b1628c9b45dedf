import { build, type BuildOptions, type Plugin } from 'esbuild';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FunctionName, functions } from '../../lambdas/manifest.ts';
import { leanSdk } from './aws-sdk.ts';
import { builtinsOnDemand } from './builtins.ts';
import { consoleAsText, galleryAsText, longPasswords } from './texts.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CORE = '@hosted-mcp/core';

/** Where Lambda lays a layer out. */
const LAYER_ROOT = '/opt';

/** Folders that are ready to become assets. */
export interface Bundles {
  /** Laid out below `nodejs/node_modules/`, as a layer is. */
  readonly layer: string;
  readonly functions: Readonly<Record<FunctionName, string>>;
}

/** Doors of the core that a function imports: at once, and when some request needs them. */
interface Doors {
  readonly atOnce: Set<string>;
  readonly onDemand: Set<string>;
}

/**
 * Bundles each function into one file that imports the core by absolute path, so that nothing depends on
 * how a runtime looks packages up, and the core's doors that it imports into a folder of the layer that is
 * the function's own: what it loads at once stands in few files, however many doors there are for others.
 *
 * @param outputFolder - is emptied first
 * @param layerRoot - where the layer will stand; `/opt` on Lambda
 */
export const bundle = async (outputFolder: string, layerRoot = LAYER_ROOT): Promise<Bundles> => {
  rmSync(outputFolder, { recursive: true, force: true });
  const layer = join(outputFolder, 'layer');
  const names = Object.keys(functions) as FunctionName[];
  const bundled = names.map(async (name) => {
    const doorFolder = join('nodejs', 'node_modules', CORE, name);
    const outfile = join(outputFolder, name, 'index.mjs');
    const doors = await bundleFunction(name, outfile, join(layerRoot, doorFolder));
    await bundleDoors(doors, join(layer, doorFolder));
    return [name, dirname(outfile)] as const;
  });
  const folders = Object.fromEntries(await Promise.all(bundled));
  return { layer, functions: folders as Record<FunctionName, string> };
};

const SHARED: BuildOptions = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  legalComments: 'none',
  mainFields: ['module', 'main'],
  absWorkingDir: ROOT,
  logLevel: 'warning',
};

const bundleFunction = async (
  name: FunctionName,
  outfile: string,
  doorRoot: string,
): Promise<Doors> => {
  const doors: Doors = { atOnce: new Set(), onDemand: new Set() };
  await build({
    ...SHARED,
    entryPoints: [functions[name].entry],
    outfile,
    plugins: [doorsByAbsolutePath(doorRoot, doors), consoleAsText()],
  });
  return doors;
};

/** The file that has all doors which a function imports at once: each file more is a look-up more. */
const AT_ONCE = 'core';

/** Doors share chunks, so that there is one copy of each class and `instanceof` holds. */
const bundleDoors = async ({ atOnce, onDemand }: Doors, outdir: string): Promise<void> => {
  const sources = doorSources();
  await build({
    ...SHARED,
    entryPoints: { [AT_ONCE]: AT_ONCE, ...pick(sources, onDemand) },
    outdir,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    chunkNames: 'chunk-[hash]',
    plugins: [
      reExported(AT_ONCE, Object.values(pick(sources, atOnce))),
      builtinsOnDemand(),
      leanSdk(),
      galleryAsText(),
      longPasswords(),
    ],
  });
};

const pick = (sources: Readonly<Record<string, string>>, doors: ReadonlySet<string>) =>
  Object.fromEntries([...doors].map((door) => [door, sources[door] ?? door]));

/** Name of each door to its source file, as `exports` of the core's package.json has them. */
const doorSources = (): Readonly<Record<string, string>> => {
  const core = resolve(ROOT, 'layers/core');
  const { exports } = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  return Object.fromEntries(
    Object.entries(exports).map(([door, source]) => [door.slice(2), join(core, source)]),
  );
};

/** A module that exports all that others do. */
const reExported = (name: string, sources: readonly string[]): Plugin => ({
  name: 're-exported',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^${name}$`) }, () => ({
      path: name,
      namespace: 're-exported',
    }));
    onLoad({ filter: /./, namespace: 're-exported' }, () => ({
      contents: sources.map((source) => `export * from ${JSON.stringify(source)};`).join('\n'),
      resolveDir: ROOT,
    }));
  },
});

/** @param doors - receives the doors' names */
const doorsByAbsolutePath = (doorRoot: string, doors: Doors): Plugin => ({
  name: 'doors-by-absolute-path',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@hosted-mcp\/core\// }, ({ path, kind }) => {
      const door = path.slice(`${CORE}/`.length);
      const isAtOnce = kind === 'import-statement';
      (isAtOnce ? doors.atOnce : doors.onDemand).add(door);
      return { path: `${doorRoot}/${isAtOnce ? AT_ONCE : door}.mjs`, external: true };
    });
  },
});
