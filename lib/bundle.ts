import { build, type BuildOptions, type Plugin } from 'esbuild';
import { builtinModules } from 'node:module';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from '../console/build.ts';
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
 * Bundles each function into one file that imports the core's doors by absolute path, so that nothing
 * depends on how a runtime looks packages up, and those doors into a folder of the layer that is the
 * function's own: what it imports stands in few files, however many doors there are for others.
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
  outExtension: { '.js': '.mjs' },
  absWorkingDir: ROOT,
  logLevel: 'warning',
  // Packages written as CommonJS ask for node's own modules with `require`.
  banner: {
    js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);",
  },
};

/** @returns the names of the doors that the function imports */
const bundleFunction = async (
  name: FunctionName,
  outfile: string,
  doorRoot: string,
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>();
  await build({
    ...SHARED,
    banner: {},
    outExtension: {},
    entryPoints: [functions[name].entry],
    outfile,
    plugins: [doorsByAbsolutePath(doorRoot, found), consoleAsText()],
  });
  return found;
};

/** Doors share chunks, so that there is one copy of each class and `instanceof` holds. */
const bundleDoors = async (doors: ReadonlySet<string>, outdir: string): Promise<void> => {
  const sources = doorSources();
  await build({
    ...SHARED,
    entryPoints: Object.fromEntries([...doors].map((door) => [door, sources[door] ?? door])),
    outdir,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    plugins: [
      builtinsOnDemand(),
      withoutTheUnused(),
      unusedSchemas(),
      galleryAsText(),
      longPasswords(),
    ],
  });
};

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

/** What packages ask for and nobody here needs, and what they get instead: 106, 34 and 26 KB less. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  // On Lambda the credentials stand in the environment: no chain of other places is asked.
  '@aws-sdk/credential-provider-node':
    "export const defaultProvider = () => async () => { throw new Error('credentials come from the environment') };",
  // Reads the name of a browser.
  bowser: '',
  // Handlebars does without, unless it is asked for a source map.
  'source-map': 'module.exports = {}',
};

const withoutTheUnused = (): Plugin => ({
  name: 'without-the-unused',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: new RegExp(`^(${Object.keys(LEFT_OUT).join('|')})$`) }, ({ path }) => ({
      path,
      namespace: 'left-out',
    }));
    onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({
      contents: LEFT_OUT[path] ?? '',
    }));
  },
});

/**
 * The clients of the SDK list the schemas of all that their services know, in a form that keeps the
 * bundler from leaving out the unused ones; here they say that making one has no effect. Errors are not
 * listed: one that is not comes as the service's general error under its own name, which is all that is
 * asked of it. DynamoDB's are asked for their class.
 */
const unusedSchemas = (): Plugin => ({
  name: 'unused-schemas',
  setup: ({ onLoad }) => {
    const schemas = /@aws-sdk\/client-(?:kms|lambda|s3|secrets-manager|sesv2)\/.*\/schemas_0\.js$/;
    onLoad({ filter: schemas }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8'))
        .replaceAll(/^n0_registry\.registerError\(.*$/gm, '')
        .replaceAll(
          /^((?:export )?var \w+\$? = )\[([^]*?)\];$/gm,
          '$1/* @__PURE__ */ (() => [$2])();',
        ),
    }));
  },
});

/** The descriptions of the gallery stand in the bundle as text: on AWS there is no file beside it. */
const galleryAsText = (): Plugin => ({
  name: 'gallery-as-text',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/domain\/gallery\/descriptions\.ts$/ }, async ({ path }) => {
      const folder = join(dirname(path), 'descriptions');
      const texts = Object.fromEntries(
        readdirSync(folder).map((name) => [
          basename(name, '.yaml'),
          readFileSync(join(folder, name), 'utf8'),
        ]),
      );
      return { contents: `export const descriptionOf = (id) => (${JSON.stringify(texts)})[id];` };
    });
  },
});

/** The files of the console stand in its function's bundle, packed: on AWS nothing can make them. */
const consoleAsText = (): Plugin => ({
  name: 'console-as-text',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/lambdas\/console\/assets\.ts$/ }, async () => ({
      contents: `export const readAssets = async () => (${JSON.stringify(await buildConsole())});`,
    }));
  },
});

/** As the core has it, which leaves the others out again. */
const SHORTEST_PASSWORD = 12;

/** Of the 49,233 commonest passwords, the 308 that are long enough to be chosen: 5 KB instead of 380. */
const longPasswords = (): Plugin => ({
  name: 'long-passwords',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/language-common\/dist\/passwords\.json\.mjs$/ }, async ({ path }) => {
      const { default: ranked } = (await import(path)) as { default: readonly string[] };
      const long = ranked.filter(({ length }) => length >= SHORTEST_PASSWORD);
      return { contents: `export default ${JSON.stringify(long)};` };
    });
  },
});

/** @param found - receives the doors' names */
const doorsByAbsolutePath = (doorRoot: string, found: Set<string>): Plugin => ({
  name: 'doors-by-absolute-path',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@hosted-mcp\/core\// }, ({ path }) => {
      const door = path.slice(`${CORE}/`.length);
      found.add(door);
      return { path: `${doorRoot}/${door}.mjs`, external: true };
    });
  },
});
