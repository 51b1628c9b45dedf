/** The times and lists of every contender for one description. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ModelTool } from '../../layers/core/domain/model-apis/index.ts';
import { type Contender, type Listed, startContender, type Took } from './contender.ts';

export const NAMES = ['ours', 'generator', 'generator-dereferencing', 'ivotoby'] as const;
export type Name = (typeof NAMES)[number];

const COLD_ROUNDS = 3;
const WARM_UP_ROUNDS = 4;
/** Node compiles what runs often, in steps: each contender gets at least so much time for that. */
const WARM_UP_MS = 700;
const WARM_ROUNDS = 9;

export interface Result {
  /** Why there are no times. */
  failed?: string;
  readonly cold: Took[];
  readonly warm: Took[];
  tools?: readonly ModelTool[];
}

export interface Measured {
  readonly file: string;
  readonly bytes: number;
  readonly operations: number;
  readonly results: Readonly<Record<Name, Result>>;
  /** Of routers that start and list what was compiled before. */
  readonly routers: readonly Took[];
}

export const measure = async (
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
    fileURLToPath(new URL('count-operations.mjs', import.meta.url)),
    file,
  ]);
  const { size: bytes } = await stat(file);
  return { file, bytes, operations: Number(counted.stdout), results, routers };
};
