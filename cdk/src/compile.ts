import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Compilation } from './compilation.ts';

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Has the compiler of the service make tools of a declaration, in a process of its own and without a network. What it
 * said is kept in the folder of the app's output: the same declaration is compiled once.
 *
 * @param outdir - `cdk.out`
 */
export const compiled = (
  asked: { readonly slug: string; readonly declaration: object },
  outdir: string,
): Compilation => {
  const program = join(import.meta.dirname, 'compile.mjs');
  const input = JSON.stringify(asked);
  const digest = createHash('sha256').update(input).update(readFileSync(program)).digest('hex');
  const folder = join(outdir, '.hosted-mcp');
  const file = join(folder, `${digest}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Compilation;
  } catch {
    const answer = execFileSync(process.execPath, [program], {
      input,
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      maxBuffer: MOST_BYTES,
    });
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, answer);
    return JSON.parse(answer) as Compilation;
  }
};
