// `npm run package-cdk`: packs the constructs for CDK apps of other teams, into dist/ or the folder that --out names.
// The package holds the constructs (CommonJS), the compiler of descriptions and the function that applies
// declarations, ready-made.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { inlineCode } from '../lib/functions/inline-code.ts';
import { bundle as bundleFunctions } from '../lib/bundle/index.ts';
import { bundledConsole } from '../console/build.ts';
import { checkout } from './find-node.mjs';
import { foldersIn, pack, REQUIRE } from './packed.mjs';
import { engines, forOlderNode } from './older-node.mjs';

const common = {
  bundle: true,
  platform: 'node',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  absWorkingDir: checkout,
  logLevel: 'warning',
  metafile: true,
};

/** Oldest CDK whose templates equal those of ours (`npm run installations`). */
const OLDEST_CDK = { 'aws-cdk-lib': '2.268.0', constructs: '10.5.0' };

/** The constructs stay readable: an error's stack trace leads authors of apps into them. */
const READABLE = { minifySyntax: false, minifyWhitespace: false };

/** Handlers that templates carry as text. */
const INLINE = ['lib/canary/handler.ts', 'lib/data/emptying/handler.ts'];

/** A package has neither sources nor a bundler: what `inlineCode` would bundle is put in as text. */
const sourcesAsText = {
  name: 'sources-as-text',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/lib\/functions\/inline-code\.ts$/ }, () => {
      const codes = INLINE.map((path) => [
        `/${path}`,
        inlineCode(pathToFileURL(join(checkout, path))),
      ]);
      const texts = JSON.stringify(Object.fromEntries(codes));
      return { contents: `export const inlineCode = ({ pathname }) => (${texts})[pathname];` };
    });
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!path.startsWith(join(checkout, 'lib'))) return undefined;
      const place = JSON.stringify(`file:///${relative(checkout, path)}`);
      const contents = readFileSync(path, 'utf8').replaceAll('import.meta.url', place);
      return { contents, loader: 'ts' };
    });
  },
};

/** Bundles the package's parts into a folder. @returns folders of the libraries in them */
const bundle = async (folder) => {
  const metafiles = [];
  const part = async (options) => metafiles.push((await build(options)).metafile);
  await part({
    ...common,
    entryPoints: [join(checkout, 'cdk/src/index.ts')],
    outfile: join(folder, 'index.js'),
    format: 'cjs',
    ...forOlderNode,
    ...READABLE,
    external: ['aws-cdk-lib', 'constructs'],
    // A CommonJS file has no `import.meta`.
    define: { ...forOlderNode.define, 'import.meta.dirname': '__dirname' },
  });
  await part({
    ...common,
    entryPoints: [join(checkout, 'cdk/stacks/compose.ts')],
    outfile: join(folder, 'stacks.js'),
    format: 'cjs',
    ...forOlderNode,
    ...READABLE,
    external: ['aws-cdk-lib', 'aws-cdk-lib/*', 'constructs'],
    plugins: [sourcesAsText],
  });
  await bundleFunctions(join(folder, 'functions'), {
    onBundled: (metafile) => metafiles.push(metafile),
    cache: process.env.HOSTED_MCP_LAYER_CACHE,
  });
  await part({
    ...common,
    entryPoints: [join(checkout, 'cdk/compiler/thread.ts')],
    outdir: join(folder, 'compiler'),
    outExtension: { '.js': '.mjs' },
    splitting: true,
    format: 'esm',
    ...forOlderNode,
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE },
  });
  await part({
    ...common,
    entryPoints: [join(checkout, 'cdk/provider/handler.ts')],
    outfile: join(folder, 'provider/index.mjs'),
    format: 'esm',
    target: 'node24',
    // Lambda provides the AWS SDK.
    external: ['@aws-sdk/*'],
  });
  return [...foldersIn(metafiles), ...(await consoleFolders())];
};

/** Libraries in the console, whose files are text in the bundle of its function. */
const consoleFolders = async () => {
  const { metafile, folder } = await bundledConsole();
  return foldersIn([metafile], folder);
};

const types = (folder) => {
  const tsc = join(checkout, 'node_modules/typescript-native/bin/tsc');
  const args = [tsc, '-p', join(checkout, 'cdk'), '--outDir', folder];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout);
};

const packageFile = () => {
  const { version, license } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  return {
    name: '@hosted-mcp/cdk',
    version,
    description: 'MCP servers in the CDK app of the API that they serve.',
    license,
    main: 'index.js',
    types: 'index.d.ts',
    engines,
    peerDependencies: Object.fromEntries(
      Object.entries(OLDEST_CDK).map(([name, version]) => [name, `^${version}`]),
    ),
  };
};

const { values } = parseArgs({
  options: { out: { type: 'string' }, folder: { type: 'string' } },
});
if (values.folder !== undefined) {
  // `--folder`: leaves the package unpacked and without types.
  await bundle(resolve(values.folder));
  writeFileSync(
    join(resolve(values.folder), 'package.json'),
    `${JSON.stringify(packageFile(), undefined, 2)}\n`,
  );
} else {
  const out = resolve(values.out ?? join(checkout, 'dist'));
  const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-cdk-'));
  try {
    const inside = await bundle(folder);
    types(folder);
    for (const [from, to] of [
      ['LICENSE', 'LICENSE'],
      ['cdk/README.md', 'README.md'],
    ]) {
      cpSync(join(checkout, from), join(folder, to));
    }
    pack(folder, out, {
      facts: packageFile(),
      inside: [...new Set(inside)].toSorted(),
      install: (file) => [
        `npm install --ignore-scripts ./${file}`,
        '# package-lock.json keeps its hash: pipelines run npm ci --ignore-scripts.',
      ],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
