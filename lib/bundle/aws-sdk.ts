import type { OnLoadResult, Plugin, PluginBuild } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Leaves out of the SDK of AWS what nobody here needs. A module is rewritten once, for all builds with the plugin. */
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
        // esbuild reads by itself what stays as it is.
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

/** What packages ask for and nobody here needs, and what they get instead: 106, 8, 34 and 26 KB less. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  // On Lambda the credentials stand in the environment: no chain of other places is asked.
  '@aws-sdk/credential-provider-node':
    "export const defaultProvider = () => async () => { throw new Error('credentials come from the environment') };",
  // Asks DynamoDB for its endpoints, where the environment wants that.
  '@aws-sdk/middleware-endpoint-discovery': `
    export const resolveEndpointDiscoveryConfig = (config) => config;
    export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
      environmentVariableSelector: () => undefined, configFileSelector: () => undefined, default: false };`,
  // Reads the name of a browser.
  bowser: '',
  // Handlebars does without, unless it is asked for a source map.
  'source-map': 'module.exports = {}',
};

/** Settings come from the environment, too: the SDK looks for files of them, which nobody has there. */
const NO_CONFIGURATION_FILES = `
  export const filePromises = {};
  export const fileIntercept = {};
  export const readFile = async () => { throw new Error('there are no configuration files') };`;

/**
 * The clients list the schemas of all that their services know, in a form that keeps the bundler from
 * leaving out the unused ones; here they say that making one has no effect. Of errors those are listed
 * whose class or fields are asked for; any other comes as the service's general error under its own name.
 */
const withoutUnusedSchemas = (source: string): string =>
  source
    .replaceAll(
      /^n0_registry\.registerError\((?!ConditionalCheckFailed|TransactionCanceled).*$/gm,
      '',
    )
    .replaceAll(/^((?:export )?var \w+\$? = )\[([^]*?)\];$/gm, '$1/* @__PURE__ */ (() => [$2])();');

/**
 * Bodies are text, bytes or streams of node here. Whether one is a stream of browsers or a file is asked in
 * a way that has node load its modules for both, 5 ms.
 */
const withoutOtherBodies = (source: string): string =>
  source
    .replaceAll('typeof ReadableStream === "function"', 'false')
    .replaceAll('typeof ReadableStream !== "undefined"', 'false')
    .replaceAll('body instanceof ReadStream', 'false');

/**
 * Has modules of the SDK import from where a thing is made, and not from the index of its package: what an
 * index names is loaded with it at once, although only a client that is loaded on demand uses it.
 */
const directImports = ({ resolve }: PluginBuild) => {
  const pathOf = async (specifier: string, resolveDir: string): Promise<string> =>
    (await resolve(specifier, { resolveDir, kind: 'import-statement' })).path;

  /** Of each export of an index, its name where it is made, and where that is. */
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
