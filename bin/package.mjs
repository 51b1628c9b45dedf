// `npm run package`: packs the command line for machines that have no checkout, into dist/ or the folder that
// --out names. The package holds one program and what it loads on demand, with all libraries in it.
import { build } from 'esbuild';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout } from './find-node.mjs';
import { engines, forOlderNode } from './older-node.mjs';
import { foldersIn, pack, REQUIRE } from './packed.mjs';

const facts = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));

/** The program reads its version from the checkout's package.json; no other member goes into the bundle. */
const versionAlone = {
  name: 'version-alone',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/package\.json$/ }, ({ path }) =>
      path === join(checkout, 'package.json')
        ? { contents: JSON.stringify({ version: facts.version }), loader: 'json' }
        : undefined,
    );
  },
};

/** Writes the program into a folder. @returns esbuild's metafile */
const bundle = async (outdir) => {
  const { metafile } = await build({
    entryPoints: { program: join(checkout, 'bin/hosted-mcp.ts') },
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    ...forOlderNode,
    // Names stay, so that an error can be traced.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: REQUIRE },
    metafile: true,
    absWorkingDir: checkout,
    logLevel: 'warning',
    plugins: [versionAlone],
  });
  return metafile;
};

/** The package's package.json. It has no dependencies: libraries are bundled. */
const packageFile = () => {
  const { name, version, license } = facts;
  return {
    name,
    version,
    description: 'The command line of Hosted MCP, which turns REST APIs into remote MCP servers.',
    license,
    type: 'module',
    bin: { 'hosted-mcp': 'bin/hosted-mcp.mjs' },
    engines,
  };
};

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = resolve(values.out ?? join(checkout, 'dist'));
const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-package-'));
try {
  const metafile = await bundle(join(folder, 'bin'));
  for (const [from, to] of [
    ['LICENSE', 'LICENSE'],
    ['cli/README.md', 'README.md'],
    ['bin/find-node.mjs', 'bin/find-node.mjs'],
    ['bin/packaged.mjs', 'bin/hosted-mcp.mjs'],
  ]) {
    cpSync(join(checkout, from), join(folder, to));
  }
  pack(folder, out, {
    facts: packageFile(),
    inside: foldersIn([metafile]),
    install: (file) => [`npm install --global --ignore-scripts ./${file}`, 'hosted-mcp --version'],
  });
} finally {
  rmSync(folder, { recursive: true });
}
