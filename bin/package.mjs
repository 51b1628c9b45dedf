// `npm run package`: packs the command line for machines that have no checkout, into dist/ or the folder that
// --out names. The package holds one program and what it loads on demand, with all libraries in it.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkout, OLDEST_NODE } from './find-node.mjs';

/** Its version is read from the file that lies beside it, here and in the package. */
const PACKAGE_FILE = '../package.json';

/** Libraries in the form of CommonJS ask for modules of Node in this way. */
const REQUIRE =
  'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';

/** Writes the program into a folder. @returns what is in it, and where it came from */
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
    target: 'node24',
    // Names stay, so that an error can be traced.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    banner: { js: REQUIRE },
    metafile: true,
    absWorkingDir: checkout,
    logLevel: 'warning',
    plugins: [
      {
        name: 'package-file-beside-it',
        setup: ({ onResolve }) => {
          onResolve({ filter: /\/package\.json$/ }, ({ path }) =>
            path === PACKAGE_FILE ? { path, external: true } : undefined,
          );
        },
      },
    ],
  });
  return metafile;
};

/** What npm needs to know of it: nothing is to be installed besides. */
const packageFile = () => {
  const { name, version, license } = JSON.parse(
    readFileSync(join(checkout, 'package.json'), 'utf8'),
  );
  return {
    name,
    version,
    description: 'The command line of Hosted MCP, which turns REST APIs into remote MCP servers.',
    license,
    type: 'module',
    bin: { 'hosted-mcp': 'bin/hosted-mcp.mjs' },
    engines: { node: `>=${OLDEST_NODE.join('.')}` },
  };
};

/** The licences of the libraries in it, as these ask for wherever they go. */
const licences = ({ inputs }) => {
  const folders = Object.keys(inputs).flatMap((path) => {
    const parts = path.split('/');
    const at = parts.lastIndexOf('node_modules') + 1;
    return at === 0 ? [] : [parts.slice(0, at + (parts[at].startsWith('@') ? 2 : 1)).join('/')];
  });
  const byText = new Map();
  for (const folder of [...new Set(folders)].toSorted()) {
    const at = join(checkout, folder);
    const { name, version, license } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'));
    const file = readdirSync(at).find((one) => /^licen[cs]e/i.test(one));
    const text = file === undefined ? '' : readFileSync(join(at, file), 'utf8').trim();
    byText.set(text, [...(byText.get(text) ?? []), `${name} ${version}: ${license}\n`]);
  }
  return [...byText]
    .map(([text, names]) => `${names.join('')}\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
};

/** Has npm pack a folder. @returns the name of the file @throws Error with what npm says */
const pack = (folder, destination) => {
  const npm = process.env.npm_execpath;
  const [command, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const args = ['pack', '--json', '--pack-destination', destination];
  const { status, stdout, stderr } = spawnSync(command, [...first, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm pack has failed: ${stderr}`);
  const [packed] = Object.values(JSON.parse(stdout));
  return packed.filename;
};

const { values } = parseArgs({ options: { out: { type: 'string' } } });
const out = resolve(values.out ?? join(checkout, 'dist'));
const folder = mkdtempSync(join(tmpdir(), 'hosted-mcp-package-'));
try {
  const metafile = await bundle(join(folder, 'bin'));
  const write = (name, text) => writeFileSync(join(folder, name), text);
  write('package.json', `${JSON.stringify(packageFile(), undefined, 2)}\n`);
  write('THIRD-PARTY-LICENSES.txt', licences(metafile));
  for (const [from, to] of [
    ['LICENSE', 'LICENSE'],
    ['cli/README.md', 'README.md'],
    ['bin/find-node.mjs', 'bin/find-node.mjs'],
    ['bin/packaged.mjs', 'bin/hosted-mcp.mjs'],
  ]) {
    cpSync(join(checkout, from), join(folder, to));
  }
  mkdirSync(out, { recursive: true });
  console.log(join(out, pack(folder, out)));
} finally {
  rmSync(folder, { recursive: true });
}
