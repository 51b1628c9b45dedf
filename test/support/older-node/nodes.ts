import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LIBRARY = fileURLToPath(new URL('library.cjs', import.meta.url));
const { STATIC } = createRequire(import.meta.url)(LIBRARY) as {
  readonly STATIC: readonly string[];
};

/** A Node to start programs with: its name in a sentence, its path and flags. */
type OlderNode = readonly [name: string, path: string, flags: readonly string[]];

/** The oldest Node that packages promise, as this one can stand in for it; and the one that the machine may have. */
export const OLDER_NODES: readonly OlderNode[] = [
  ['Node without what Node 20 lacks', process.execPath, ['--require', LIBRARY]],
  ...(process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .filter((path) => execFileSync(path, ['--version'], { encoding: 'utf8' }).startsWith('v20.'))
    .slice(0, 1)
    .map((path): OlderNode => ['the Node 20 of this machine', path, []]),
];

/** The calls of functions in a text whose names Node 20 has not. */
export const newerCalls = (text: string): readonly string[] => {
  const called = new RegExp(`\\b(?:${STATIC.join('|').replaceAll('.', '\\.')})\\b`, 'g');
  return [...text.matchAll(called)].map(([name]) => name);
};
