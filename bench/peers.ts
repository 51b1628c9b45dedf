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
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { madeDescription } from './peers/made-descriptions.ts';
import { measure, type Measured } from './peers/measure.ts';
import { startPublished } from './peers/published.ts';
import { print } from './peers/report.ts';

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
