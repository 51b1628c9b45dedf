/**
 * How long a function's bundle, as it is deployed, takes to be imported by a fresh Node process, and how
 * large is what is loaded then: its file in the layer, and the chunks which that imports.
 *
 * Goal: the router within 60 ms.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { openBundles } from './bundles.ts';
import { kb, median, ms, percentile, printTable, type Row } from './table.ts';

const PROCESSES = 20;

export const bench = async (): Promise<void> => {
  await using bundles = await openBundles();
  const rows: Row[] = [['an empty module', ...(await importTimes('data:text/javascript,')), kb(0)]];
  for (const [name, folder] of Object.entries(bundles.functions)) {
    const entry = join(folder, 'index.mjs');
    const times = await importTimes(pathToFileURL(entry).href);
    rows.push([name, ...times, kb(await bytesOf(entry))]);
  }
  printTable(
    `Import of a function's bundle, ${PROCESSES} fresh processes each`,
    ['median', 'p95', 'fastest', 'processor time', 'size'],
    rows,
    ['goal: the router in less than 60 ms'],
  );
};

const PROGRAM = `
  const cpu = process.cpuUsage(), began = performance.now();
  await import(process.argv[1]);
  const wallMs = performance.now() - began, { user, system } = process.cpuUsage(cpu);
  console.log(JSON.stringify([wallMs, (user + system) / 1000]));
  process.exit();`;

const importTimes = async (url: string): Promise<readonly string[]> => {
  const [wall, cpu]: [number[], number[]] = [[], []];
  for (let one = 0; one < PROCESSES; one += 1) {
    const args = ['--input-type=module', '--eval', PROGRAM, url];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const [wallMs, cpuMs] = JSON.parse(stdout) as [number, number];
    wall.push(wallMs);
    cpu.push(cpuMs);
  }
  return [...[50, 95, 0].map((percent) => percentile(wall, percent)), median(cpu)].map(ms);
};

/** Of a file with all that it imports at once. */
const bytesOf = async (entry: string): Promise<number> => {
  const found = new Set([entry]);
  let bytes = 0;
  for (const file of found) {
    const text = await readFile(file, 'utf8');
    bytes += Buffer.byteLength(text);
    for (const [, path = ''] of text.matchAll(/(?:from|import)\s*"([^"]+\.mjs)"/g)) {
      found.add(path.startsWith('.') ? join(dirname(file), path) : path);
    }
  }
  return bytes;
};
