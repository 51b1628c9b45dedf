import type { OnLoadResult, Plugin, PluginBuild } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Removes unused parts of the AWS SDK. A module is rewritten once, for all builds with the plugin. */
export const leanSdk = (): Plugin => {
  const rewritten = new Map<string, Promise<OnLoadResult | undefined>>();
  return {
    name: 'lean-sdk',
    setup: (bundler) => {
      const { onResolve, onLoad } = bundler;
      const withDirectImports = directImports(bundler);
      onResolve({ filter: new RegExp(`^(${Object.keys(LEFT_OUT).join('|')})$`) }, ({ path }) => ({
        path,
        namespace: 'left-out',
      }));
      onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => ({
        contents: LEFT_OUT[path] ?? '',
      }));
      onLoad({ filter: /\/shared-ini-file-loader\/readFile\.js$/ }, () => ({
        contents: NO_CONFIGURATION_FILES,
      }));
      const rewrite = async (path: string): Promise<OnLoadResult | undefined> => {
        const source = await readFile(path, 'utf8');
        const needed = path.endsWith('/schemas_0.js') ? withoutUnusedSchemas(source) : source;
        const contents = await withDirectImports(withoutOtherBodies(needed), dirname(path));
        // esbuild reads unchanged files by itself.
        return contents === source ? undefined : { contents };
      };
      onLoad({ filter: /\/node_modules\/@(?:aws-sdk|smithy)\/.*\.js$/ }, ({ path }) => {
        const result = rewritten.get(path) ?? rewrite(path);
        rewritten.set(path, result);
        return result;
      });
    },
  };
};

/** Replacements for packages that are imported but not needed: 106, 8, 34 and 26 KB less. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  // On Lambda credentials are in the environment: the chain of providers is not needed.
  '@aws-sdk/credential-provider-node':
    "export const defaultProvider = () => async () => { throw new Error('credentials come from the environment') };",
  // DynamoDB endpoint discovery, which only the environment could switch on.
  '@aws-sdk/middleware-endpoint-discovery': `
    export const resolveEndpointDiscoveryConfig = (config) => config;
    export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
      environmentVariableSelector: () => undefined, configFileSelector: () => undefined, default: false };`,
  // `bowser` detects browsers.
  bowser: '',
  // Handlebars needs `source-map` only to make source maps.
  'source-map': 'module.exports = {}',
};

/** The SDK looks for configuration files; on Lambda there are none. */
const NO_CONFIGURATION_FILES = `
  export const filePromises = {};
  export const fileIntercept = {};
  export const readFile = async () => { throw new Error('there are no configuration files') };`;

/**
 * Lets the bundler drop unused schemas. The clients list those of the whole service in a form that it cannot drop;
 * here each is marked as free of effects. Only errors whose class or fields we use are registered; others arrive as
 * the service's general error under their own names.
 */
const withoutUnusedSchemas = (source: string): string =>
  source
    .replaceAll(
      /^n0_registry\.registerError\((?!ConditionalCheckFailed|TransactionCanceled).*$/gm,
      '',
    )
    .replaceAll(/^((?:export )?var \w+\$? = )\[([^]*?)\];$/gm, '$1/* @__PURE__ */ (() => [$2])();');

/** Removes checks for browser streams and files, which make node load its modules for both, 5 ms. */
const withoutOtherBodies = (source: string): string =>
  source
    .replaceAll('typeof ReadableStream === "function"', 'false')
    .replaceAll('typeof ReadableStream !== "undefined"', 'false')
    .replaceAll('body instanceof ReadStream', 'false');

/** Imports from the defining module: a package's index would load at once what a client needs on demand. */
const directImports = ({ resolve }: PluginBuild) => {
  const pathOf = async (specifier: string, resolveDir: string): Promise<string> =>
    (await resolve(specifier, { resolveDir, kind: 'import-statement' })).path;

  /** Exports by index file: original name, and the file that defines it. */
  const indexes = new Map<string, Promise<ReadonlyMap<string, readonly [string, string]>>>();
  const readIndex = async (path: string) => {
    const found = new Map<string, readonly [string, string]>();
    const source = await readFile(path, 'utf8');
    for (const [, names = '', specifier = ''] of source.matchAll(EXPORTS)) {
      const origin = await pathOf(specifier, dirname(path));
      const further = INDEXED.test(specifier) ? await indexOf(origin) : undefined;
      for (const [imported, exported] of namesIn(names)) {
        found.set(exported, further?.get(imported) ?? [imported, origin]);
      }
    }
    return found;
  };
  const indexOf = (path: string) => {
    const known = indexes.get(path) ?? readIndex(path);
    indexes.set(path, known);
    return known;
  };

  return async (source: string, folder: string): Promise<string> => {
    let direct = source;
    for (const [statement, names = '', specifier = ''] of source.matchAll(IMPORTS)) {
      if (!INDEXED.test(specifier)) continue;
      const path = await pathOf(specifier, folder);
      const index = await indexOf(path);
      const imports = namesIn(names).map(([name, local]) => {
        const [made, origin] = index.get(name) ?? [name, path];
        return `import { ${made} as ${local} } from ${JSON.stringify(origin)};`;
      });
      direct = direct.replace(statement, imports.join(' '));
    }
    return direct;
  };
};

const INDEXED = /^@(?:aws-sdk|smithy)\/core(?:\/|$)/;
const IMPORTS = /^import \{([^}]*)\} from "([^"]+)";$/gm;
const EXPORTS = /^export \{([^}]*)\} from "([^"]+)";$/gm;

/** @returns the names of a list as `a, b as c`, each before and after its `as` */
const namesIn = (list: string): (readonly [string, string])[] =>
  list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const [name = '', other = name] = one.split(/\s+as\s+/);
      return [name, other];
    });
