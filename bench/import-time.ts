/**
 * How long a function's bundle, as it is deployed, takes to be imported by a fresh Node process, and how
 * large it is: what is loaded at once ("static": its file in the layer, and the chunks which that imports) and what only
 * some requests load ("lazy").
 *
 * Goal: the router within 60 ms, and less than 700 KB.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from '../lib/bundle/index.ts';
import { kb, median, ms, percentile, printTable, type Row } from './table.ts';

const PROCESSES = 20;

export const bench = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  try {
    const { functions } = await bundle(folder, join(folder, 'layer'));
    const entries = Object.entries(functions).map(
      ([name, path]) => [name, join(path, 'index.mjs')] as const,
    );

    const rows: Row[] = [];
    for (const [name, entry] of [['an empty module', EMPTY] as const, ...entries]) {
      const url = entry === EMPTY ? EMPTY : pathToFileURL(entry).href;
      const took: Imported[] = [];
      for (let one = 0; one < PROCESSES; one += 1) took.push(await importInFreshProcess(url));
      const wall = took.map(({ wallMs }) => wallMs);
      const cpu = took.map(({ cpuMs }) => cpuMs);
      const marks = [50, 95, 0].map((percent) => ms(percentile(wall, percent)));
      rows.push([name, ...marks, ms(median(cpu))]);
    }
    printTable(
      `Import of a function's bundle, ${PROCESSES} fresh processes each`,
      ['median', 'p95', 'fastest', 'processor time'],
      rows,
      ['goal: the router in less than 60 ms'],
    );

    for (const [name, entry] of entries) await printSizes(name, entry);
  } finally {
    await rm(folder, { recursive: true });
  }
};

const EMPTY = 'data:text/javascript,';

interface Imported {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const importInFreshProcess = async (url: string): Promise<Imported> => {
  const program = `
    const cpu = process.cpuUsage(), began = performance.now();
    await import(${JSON.stringify(url)});
    const wallMs = performance.now() - began, { user, system } = process.cpuUsage(cpu);
    console.log(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000 }));
    process.exit();`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
};

const printSizes = async (name: string, entry: string): Promise<void> => {
  const sources = new Map<string, string>();
  const atOnce = await closure([entry], /(?:from|import)\s*"([^"]+\.mjs)"/g, sources);
  const all = await closure([entry], /(?:from|import|import\()\s*"([^"]+\.mjs)"/g, sources);
  const bytes = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + Buffer.byteLength(sources.get(file) ?? ''), 0);

  const lazy = new Set([...all].filter((file) => !atOnce.has(file)));
  const largest = [...all]
    .toSorted((one, other) => bytes([other]) - bytes([one]))
    .slice(0, 8)
    .map((file): Row => [
      `  ${basename(file)}`,
      lazy.has(file) ? '' : kb(bytes([file])),
      lazy.has(file) ? kb(bytes([file])) : '',
      '',
    ]);
  printTable(
    `Size of the function ${name}`,
    ['static', 'lazy', 'in all'],
    [['in all', kb(bytes(atOnce)), kb(bytes(lazy)), kb(bytes(all))], ...largest],
    name === 'router' ? ['goal: less than 700 KB in all'] : [],
  );
};

/** All files that are reached from some by what a pattern finds in their text. */
const closure = async (
  from: readonly string[],
  imports: RegExp,
  sources: Map<string, string>,
): Promise<Set<string>> => {
  const found = new Set(from);
  for (const file of found) {
    const text = sources.get(file) ?? (await readFile(file, 'utf8'));
    sources.set(file, text);
    for (const [, path = ''] of text.matchAll(imports)) {
      found.add(path.startsWith('.') ? join(dirname(file), path) : path);
    }
  }
  return found;
};
