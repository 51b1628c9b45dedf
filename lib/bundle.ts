import { build, type BuildOptions, type Plugin } from 'esbuild';
import { builtinModules } from 'node:module';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FunctionName, functions } from '../lambdas/manifest.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CORE = '@hosted-mcp/core';

/** Where Lambda lays a layer out. */
export const LAYER_ROOT = '/opt';

/** Folders that are ready to become assets. */
export interface Bundles {
  /** Laid out below `nodejs/node_modules/`, as a layer is. */
  readonly layer: string;
  readonly functions: Readonly<Record<FunctionName, string>>;
}

/**
 * Bundles the core's doors into a layer and each function into one file that imports them by
 * absolute path, so that nothing depends on how a runtime looks packages up.
 *
 * @param outputFolder - is emptied first
 * @param layerRoot - where the layer will stand; `/opt` on Lambda
 */
export const bundle = async (outputFolder: string, layerRoot = LAYER_ROOT): Promise<Bundles> => {
  rmSync(outputFolder, { recursive: true, force: true });
  const layer = join(outputFolder, 'layer');
  const [entries] = await Promise.all([
    bundleFunctions(outputFolder, layerRoot),
    bundleLayer(layer),
  ]);
  return { layer, functions: entries };
};

const SHARED: BuildOptions = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  minify: true,
  legalComments: 'none',
  mainFields: ['module', 'main'],
  outExtension: { '.js': '.mjs' },
  absWorkingDir: ROOT,
  logLevel: 'warning',
  // Packages written as CommonJS ask for node's own modules with `require`.
  banner: {
    js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);",
  },
};

/** Doors share chunks, so that there is one copy of each class and `instanceof` holds. */
const bundleLayer = async (folder: string): Promise<void> => {
  const outdir = join(folder, 'nodejs', 'node_modules', CORE);
  mkdirSync(outdir, { recursive: true });
  await build({
    ...SHARED,
    entryPoints: doors(),
    outdir,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    plugins: [builtinsOnDemand(), credentialsFromEnvironment()],
  });
};

/** Output name of each door to its source file, as `exports` of the core's package.json has them. */
const doors = (): Record<string, string> => {
  const core = resolve(ROOT, 'layers/core');
  const { exports } = JSON.parse(readFileSync(join(core, 'package.json'), 'utf8')) as {
    exports: Record<string, string>;
  };
  return Object.fromEntries(
    Object.entries(exports).map(([door, source]) => [door.slice(2), join(core, source)]),
  );
};

const bundleFunctions = async (
  folder: string,
  layerRoot: string,
): Promise<Record<FunctionName, string>> => {
  const names = Object.keys(functions) as FunctionName[];
  const bundled = names.map(async (name) => {
    const outfile = join(folder, name, 'index.mjs');
    await build({
      ...SHARED,
      banner: {},
      outExtension: {},
      entryPoints: [functions[name].entry],
      outfile,
      plugins: [doorsByAbsolutePath(layerRoot)],
    });
    return [name, dirname(outfile)] as const;
  });
  return Object.fromEntries(await Promise.all(bundled)) as Record<FunctionName, string>;
};

/**
 * An `import` of one of node's own modules reads all its members, the lazy ones too: `node:http`
 * alone takes 24 ms that way, and 4 ms this way.
 */
const builtinsOnDemand = (): Plugin => ({
  name: 'builtins-on-demand',
  setup: ({ onResolve, onLoad }) => {
    const names = new Set(builtinModules);
    onResolve({ filter: /^(node:)?[a-z_/0-9]+$/ }, ({ path }) => {
      const name = path.replace(/^node:/, '');
      return names.has(name) ? { path: name, namespace: 'builtin', sideEffects: false } : undefined;
    });
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}')`,
    }));
  },
});

/** On Lambda the credentials stand in the environment: the chain of other places is left out (106 KB). */
const credentialsFromEnvironment = (): Plugin => ({
  name: 'credentials-from-environment',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ path }) => ({
      path,
      namespace: 'credentials',
    }));
    onLoad({ filter: /./, namespace: 'credentials' }, () => ({
      contents:
        "export const defaultProvider = () => async () => { throw new Error('credentials come from the environment') };",
    }));
  },
});

const doorsByAbsolutePath = (layerRoot: string): Plugin => ({
  name: 'doors-by-absolute-path',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@hosted-mcp\/core\// }, ({ path }) => ({
      path: `${layerRoot}/nodejs/node_modules/${path}.mjs`,
      external: true,
    }));
  },
});
