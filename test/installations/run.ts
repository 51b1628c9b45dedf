/**
 * Installs our packages as other teams do:
 *
 *   npm run installations                some minutes, and 1 GB of packages
 *   npm run installations -- modules     only this app
 *
 * The packed constructs go into apps of CommonJS and of modules, with several versions of TypeScript, the oldest and the
 * newest CDK that the package takes, on the oldest Node that it promises: type-checked, and synthesized, to the same
 * templates. All of the packed command line is loaded by each Node. Whatever fails makes the exit code 1.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type App, APPS, type Cdk, compilerOptions, NODES, sourceOf, TYPESCRIPTS } from './apps.ts';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const wanted = process.argv.slice(2);
const apps = APPS.filter(({ id }) => wanted.length === 0 || wanted.includes(id));
const unknown = wanted.find((id) => !APPS.some((app) => app.id === id));
if (unknown !== undefined) {
  process.stderr.write(`There is no app ${unknown}: ${APPS.map(({ id }) => id).join(', ')}.\n`);
  process.exit(2);
}

/** @returns what it printed @throws Error with what it printed */
const run = async (
  program: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> => {
  const options = { cwd, env, maxBuffer: 100_000_000 };
  const { stdout } = await promisify(execFile)(program, args, options).catch((error: unknown) => {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${stdout}${stderr}`.slice(0, 3000), { cause: error });
  });
  return stdout;
};

const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-installations-'));

const packed = async (program: string): Promise<string> => {
  const script = join(CHECKOUT, 'bin', program);
  const said = await run(process.execPath, ['--no-warnings', script, '--out', folder], CHECKOUT);
  return said.split('\n', 1)[0] ?? '';
};

const install = async (at: string, packages: readonly string[]): Promise<void> => {
  await mkdir(at, { recursive: true });
  await writeFile(join(at, 'package.json'), '{"private":true}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', ['install', ...options, ...packages], at);
};

const alias = ([name, version]: readonly [string, string], of: string): string =>
  `${name}@npm:${of}@${version}`;

/** The package of Node that has the program for this machine alone. */
const programs = `node-${process.platform}-${process.arch}`;
const nodes = join(folder, 'nodes');
const nodeAt = (name: string): string => join(nodes, 'node_modules', name, 'bin/node');

/** What the constructs take. @param file - of their package */
const cdksOf = async (file: string): Promise<Readonly<Record<Cdk, readonly string[]>>> => {
  const text = await run('tar', ['xzOf', file, 'package/package.json'], folder);
  const { peerDependencies } = JSON.parse(text) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  const names = Object.entries(peerDependencies);
  return {
    oldest: names.map(([name, range]) => `${name}@${range.slice(1)}`),
    newest: names.map(([name, range]) => `${name}@${range}`),
  };
};

/** By their file names. */
const templatesIn = async (out: string): Promise<ReadonlyMap<string, string>> => {
  const names = (await readdir(out)).filter((name) => name.endsWith('.template.json'));
  const texts = names.map(async (name) => [name, await readFile(join(out, name), 'utf8')] as const);
  return new Map(await Promise.all(texts));
};

let first: ReadonlyMap<string, string> | undefined;

const synthesize = async (app: App): Promise<void> => {
  const { id, cdk, node, typescript, modules } = app;
  const at = join(folder, cdk, id);
  await mkdir(at, { recursive: true });
  const write = (name: string, content: string) => writeFile(join(at, name), content);
  await write('package.json', JSON.stringify({ private: true, type: modules.type }));
  await cp(join(CHECKOUT, 'examples/bookshop.yaml'), join(at, 'bookshop.yaml'));
  const stage = await readFile(join(CHECKOUT, 'config/dev.json'), 'utf8');
  await write(typescript === undefined ? 'app.js' : 'app.ts', sourceOf(app, stage));
  if (typescript !== undefined) {
    await write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: compilerOptions(app), files: ['app.ts'] }),
    );
    const compiler = join(folder, cdk, 'node_modules', typescript, 'bin/tsc');
    await run(nodeAt(node), [compiler, '-p', '.'], at);
  }
  const out = join(at, 'cdk.out');
  await run(nodeAt(node), ['app.js'], at, { ...process.env, CDK_OUTDIR: out });
  const templates = await templatesIn(out);
  first ??= templates;
  const others = [...new Set([...first.keys(), ...templates.keys()])].filter(
    (name) => templates.get(name) !== first?.get(name),
  );
  if (others.length > 0 || templates.size === 0) {
    throw new Error(`${others.join(', ')}: not as the first app has it`);
  }
};

/** Its parts are loaded when they are needed: this loads them all. */
const LOAD_ALL = `
import { readdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
const parts = readdirSync('.').filter((name) => !['program.mjs', 'hosted-mcp.mjs'].includes(name));
for (const part of parts) await import(pathToFileURL(part).href);
`;

/** @returns whether it worked */
const tried = async (name: string, attempt: () => Promise<void>): Promise<boolean> => {
  const start = process.hrtime.bigint();
  try {
    await attempt();
    say(`works  ${name} (${Number((process.hrtime.bigint() - start) / 1_000_000n)} ms)`);
    return true;
  } catch (error) {
    say(`FAILS  ${name}\n${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
};

try {
  say('Packing ...');
  const constructs = await packed('package-cdk.mjs');
  const program = await packed('package.mjs');
  say('Installing ...');
  await install(
    nodes,
    Object.entries(NODES).map((one) => alias(one, programs)),
  );
  const cdks = await cdksOf(constructs);
  for (const cdk of new Set(apps.map((app) => app.cdk))) {
    await install(join(folder, cdk), [
      constructs,
      ...cdks[cdk],
      ...Object.entries(TYPESCRIPTS).map((one) => alias(one, 'typescript')),
      '@types/node@20',
    ]);
  }
  const results: boolean[] = [];
  for (const app of apps) {
    const { id, node, cdk, typescript = 'JavaScript', modules } = app;
    const name = [id, node, `${cdk} CDK`, typescript, modules.moduleResolution].join(', ');
    results.push(await tried(name, () => synthesize(app)));
  }
  const cli = join(folder, 'cli');
  await install(cli, [program]);
  const parts = join(cli, 'node_modules/hosted-mcp/bin');
  for (const node of Object.keys(NODES)) {
    results.push(
      await tried(`the command line, ${node}`, async () => {
        await run(nodeAt(node), ['hosted-mcp.mjs', '--version'], parts);
        await run(nodeAt(node), ['--input-type=module', '--eval', LOAD_ALL], parts);
      }),
    );
  }
  process.exitCode = results.every(Boolean) ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
