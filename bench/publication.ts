/**
 * What it takes to publish a description of 3 MB: time, processor time and memory of a fresh process
 * that runs the management function's bundle, as it is deployed, against the embedded AWS of this one.
 * The description is a real one where the folder of real descriptions is there, and a made one.
 *
 * Goal: within 3 s and 400 MB.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from '../lib/bundle/index.ts';
import { startService } from '../local/run/service.ts';
import { largeDescription } from './large-description.ts';
import { mb, median, ms, printTable, type Row } from './table.ts';

const PROCESSES = 5;
const PROGRAM = fileURLToPath(new URL('publish-once.mjs', import.meta.url));
const REAL = fileURLToPath(new URL('../../shared/openapi/openai.yaml', import.meta.url));

export const bench = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-bench-'));
  const made = join(folder, 'made.json');
  await writeFile(made, largeDescription());
  const rows: Row[] = [];
  try {
    const { functions } = await bundle(join(folder, 'dist'), join(folder, 'dist', 'layer'));
    const entry = pathToFileURL(join(functions.management, 'index.mjs')).href;
    for (const file of [made, REAL].filter(existsSync)) {
      const took: Took[] = [];
      for (let one = 0; one < PROCESSES; one += 1) {
        took.push(await publishOnce(entry, file, join(folder, `data-${rows.length}-${one}`)));
      }
      const { size } = await stat(file);
      rows.push([
        file === REAL ? 'openai.yaml' : 'made, JSON',
        mb(size),
        took[0]?.tools ?? 0,
        ms(median(took.map(({ wallMs }) => wallMs))),
        ms(median(took.map(({ cpuMs }) => cpuMs))),
        mb(median(took.map(({ rssBefore }) => rssBefore))),
        mb(Math.max(...took.map(({ rssPeak }) => rssPeak))),
      ]);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
  printTable(
    `Publication, medians of ${PROCESSES} fresh processes`,
    ['size', 'tools', 'time', 'processor time', 'memory before', 'largest memory'],
    rows,
    ['goal: less than 3 s and 400 MB'],
  );
};

interface Took {
  readonly tools: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly rssBefore: number;
  readonly rssPeak: number;
}

const publishOnce = async (entry: string, file: string, dataFolder: string): Promise<Took> => {
  const service = await startService({
    port: 0,
    dataFolder,
    limits: '{"endpoints_per_deployment": 1000}',
  });
  try {
    const { environment } = await service.startArguments('management');
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, entry, file], {
      env: environment,
    });
    return JSON.parse(stdout);
  } finally {
    await service.close();
  }
};
