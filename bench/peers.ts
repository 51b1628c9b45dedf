/**
 * How long it takes from a description to the text of a tool list, beside two other servers of the same
 * kind, for descriptions from 10 KB to 5 MB; how many operations each covers; and which share of its
 * schemas model APIs accept. Every contender runs in a process of its own that reaches nothing beyond
 * loopback (the peers' parsers would fetch addresses found in examples); they take turns.
 *
 * `HOSTED_MCP_BENCH_ONLY`, a regular expression, picks descriptions by their path.
 *
 * Goals: as fast as the faster peer on every size; all operations; all schemas.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { type ListedTool, MODEL_APIS } from '../layers/core/domain/model-apis/index.ts';
import { strictly } from '../test/support/json-schema.ts';
import {
  type Contender,
  isolation,
  type Listed,
  startContender,
  type Took,
} from './peers/contender.ts';
import { madeDescription } from './peers/made-descriptions.ts';
import { startPublished } from './peers/published.ts';
import { kb, median, printTable, type Row } from './table.ts';

const NAMES = ['ours', 'generator', 'generator-dereferencing', 'ivotoby'] as const;
type Name = (typeof NAMES)[number];

/** The faster of these is what ours is compared with. */
const PEERS: readonly Name[] = ['generator', 'ivotoby'];

const COLD_ROUNDS = 3;
const WARM_UP_ROUNDS = 4;
/** Node compiles what runs often, in steps: each contender gets at least so much time for that. */
const WARM_UP_MS = 700;
const WARM_ROUNDS = 9;

const SIZES = [14, 30, 100, 300, 1000, 3000, 5000];
const REAL = fileURLToPath(new URL('../../shared/openapi/', import.meta.url));
const FOLDER = fileURLToPath(new URL('peers/', import.meta.url));

export const bench = async (): Promise<void> => {
  install();
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  try {
    const entry = join(folder, 'compiler.mjs');
    await build({
      entryPoints: [join(FOLDER, 'compiler.ts')],
      outfile: entry,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node24',
      minify: true,
    });
    await using published = await startPublished(folder);
    const measured: Measured[] = [];
    for (const file of await descriptions(folder)) {
      const router = await published.publish(file);
      const url = pathToFileURL(entry).href;
      measured.push(await measure(file, url, join(folder, 'list.json'), router));
    }
    print(measured);
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** The peers are no part of the main install: they come when they are measured. */
const install = (): void => {
  if (existsSync(join(FOLDER, 'node_modules', '.package-lock.json'))) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, {
    cwd: FOLDER,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('the peers could not be installed');
};

/** Paths of descriptions, smallest first: real ones where they are there, and made ones. */
const descriptions = async (folder: string): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const kilobytes of SIZES) {
    for (const form of ['json', 'yaml'] as const) {
      const path = join(folder, `made-${kilobytes}-kb.${form}`);
      await writeFile(path, madeDescription(kilobytes * 1000, form));
      found.push(path);
    }
  }
  if (existsSync(REAL)) {
    const names = (await readdir(REAL)).filter((name) => /\.(json|ya?ml)$/.test(name));
    found.push(...names.map((name) => join(REAL, name)));
  }
  const sized = await Promise.all(
    found.map(async (path) => ({ path, bytes: (await stat(path)).size })),
  );
  const only = process.env['HOSTED_MCP_BENCH_ONLY'];
  return sized
    .filter(({ bytes }) => bytes >= 10_000 && bytes <= 5_242_880)
    .filter(({ path }) => only === undefined || new RegExp(only).test(path))
    .toSorted((one, other) => one.bytes - other.bytes)
    .map(({ path }) => path);
};

interface Result {
  /** Why there are no times. */
  failed?: string;
  readonly cold: Took[];
  readonly warm: Took[];
  tools?: readonly ListedTool[];
}

interface Measured {
  readonly file: string;
  readonly bytes: number;
  readonly operations: number;
  readonly results: Readonly<Record<Name, Result>>;
  /** Of routers that start and list what was compiled before. */
  readonly routers: readonly Took[];
}

const measure = async (
  file: string,
  entry: string,
  output: string,
  router: () => Promise<Took>,
): Promise<Measured> => {
  const routers: Took[] = [];
  const results = Object.fromEntries(
    NAMES.map((name): [Name, Result] => [name, { cold: [], warm: [] }]),
  ) as Record<Name, Result>;
  const start = (name: Name) => startContender(name, file, output, entry);
  const note = (result: Result, listed: Listed): listed is Took => {
    if ('failed' in listed) result.failed = listed.failed;
    return !('failed' in listed);
  };

  const running = new Map<Name, Contender>();
  for (let round = 0; round < COLD_ROUNDS; round += 1) {
    routers.push(await router());
    for (const name of NAMES.filter((one) => results[one].failed === undefined)) {
      const contender = start(name);
      const first = await contender.listed();
      if (note(results[name], first)) {
        results[name].cold.push(first);
        results[name].tools ??= JSON.parse(await readFile(output, 'utf8')).tools;
      }
      // The last of each stays for the warm rounds.
      if (round < COLD_ROUNDS - 1 || 'failed' in first) contender.end();
      else running.set(name, contender);
    }
  }
  const list = async (name: Name, contender: Contender): Promise<Took | undefined> => {
    contender.again();
    const next = await contender.listed();
    if (note(results[name], next)) return next;
    running.delete(name);
    return undefined;
  };
  for (const [name, contender] of running) {
    const began = performance.now();
    for (let round = 0; running.has(name); round += 1) {
      if (round >= WARM_UP_ROUNDS && performance.now() - began >= WARM_UP_MS) break;
      await list(name, contender);
    }
  }
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    for (const [name, contender] of running) {
      const took = await list(name, contender);
      if (took) results[name].warm.push(took);
    }
  }
  for (const contender of running.values()) contender.end();

  const counted = await promisify(execFile)(process.execPath, [
    join(FOLDER, 'count-operations.mjs'),
    file,
  ]);
  const { size: bytes } = await stat(file);
  return { file, bytes, operations: Number(counted.stdout), results, routers };
};

const print = (measured: readonly Measured[]): void => {
  const title = ({ file, bytes }: Measured) => `${basename(file)}, ${kb(bytes)}`;
  const middle = (took: readonly Took[], key: keyof Took) => median(took.map((one) => one[key]));
  /** What all took, and ours beside the faster peer. */
  const times = (one: Measured, phase: 'cold' | 'warm', own: readonly Took[]): Row => {
    const of = (name: Name, key: keyof Took) => middle(one.results[name][phase], key);
    const ratio = (key: keyof Took) =>
      middle(own, key) / Math.min(...PEERS.map((peer) => of(peer, key)).filter(Number.isFinite));
    return [
      title(one),
      shown(middle(own, 'wallMs')),
      ...NAMES.slice(1).map((name) => shown(of(name, 'wallMs'))),
      ratio('wallMs').toFixed(2),
      ratio('cpuMs').toFixed(2),
    ];
  };
  const peers = NAMES.slice(1);
  const ratios = ['/ faster', 'processor time'];
  const note = 'milliseconds, medians; goal: ours / faster of generator and ivotoby at most 1.00';
  printTable(
    'From the start of a server to a tool list: our router reads what was compiled at publication',
    ['router', ...peers, ...ratios],
    measured.map((one) => times(one, 'cold', one.routers)),
    [note],
  );
  printTable(
    'From the start of a process to a list made of the description',
    ['compiler', ...peers, ...ratios],
    measured.map((one) => times(one, 'cold', one.results.ours.cold)),
    [note],
  );
  printTable(
    'The same in a process that has made many lists',
    ['compiler', ...peers, ...ratios],
    measured.map((one) => times(one, 'warm', one.results.ours.warm)),
    [note],
  );

  const share = (of: (one: Measured, name: Name) => string) =>
    measured.map((one): Row => [title(one), ...NAMES.map((name) => of(one, name))]);
  printTable('Operations of the description with a tool', NAMES, share(covered), ['goal: all']);
  printTable(
    'Tools that Claude, OpenAI, Gemini and Bedrock all accept, and schemas that Ajv compiles strictly',
    NAMES,
    share(accepted),
    ['goal: 100 %, 100 %', `contenders were kept within loopback by ${isolation}`],
  );
  printTable(
    'Fields that all tools together describe: what a list leaves out, a model cannot send',
    NAMES,
    share(described),
  );
  for (const { file, results } of measured) {
    for (const name of NAMES) {
      const { failed } = results[name];
      if (failed !== undefined) console.log(`  ${name}, ${basename(file)}: ${failed}`);
    }
  }
};

const shown = (milliseconds: number): string =>
  Number.isFinite(milliseconds) ? milliseconds.toFixed(1) : 'none';

/** Two tools of one name cannot both be called. */
const covered = ({ operations, results }: Measured, name: Name): string => {
  const { tools } = results[name];
  return tools ? `${new Set(tools.map((tool) => tool.name)).size} of ${operations}` : 'none';
};

const accepted = ({ results }: Measured, name: Name): string => {
  const { tools } = results[name];
  if (!tools) return 'none';
  const percent = (is: (tool: ListedTool) => boolean) =>
    `${Math.floor((tools.filter(is).length / tools.length) * 100)} %`;
  const checkers = Object.values(MODEL_APIS);
  return `${percent((tool) => checkers.every((check) => check(tool).length === 0))}, ${percent(isStrict)}`;
};

const described = ({ results }: Measured, name: Name): string => {
  const { tools } = results[name];
  return tools
    ? String(tools.reduce((sum, { inputSchema }) => sum + fieldsIn(inputSchema), 0))
    : 'none';
};

/** All members of `properties`, at any depth. */
const fieldsIn = (schema: unknown): number => {
  if (typeof schema !== 'object' || schema === null) return 0;
  const own = 'properties' in schema ? Object.keys(schema.properties ?? {}).length : 0;
  return Object.values(schema).reduce((sum: number, part) => sum + fieldsIn(part), own);
};

const isStrict = ({ inputSchema }: ListedTool): boolean => {
  try {
    strictly(inputSchema);
    return true;
  } catch {
    return false;
  }
};
