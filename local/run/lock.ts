import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf } from './start-refused.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

export interface Lock {
  release(): void;
}

/**
 * A file that names the process which holds it. What a killed process left behind is taken over.
 *
 * @throws Error of the file system
 */
export const takeLock = (file: string): Lock | { readonly heldBy: number } => {
  const own = JSON.stringify({ pid: process.pid, since: startOf(process.pid) });
  const holder = holderOf(file);
  if (holder !== undefined) return { heldBy: holder };
  rmSync(file, { force: true });
  try {
    writeFileSync(file, own, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // Another process was a moment faster.
    if (codeOf(error) === 'EEXIST') return { heldBy: holderOf(file) ?? 0 };
    throw error;
  }
  return { release: () => rmSync(file, { force: true }) };
};

interface Holder {
  readonly pid: number;
  /** As the system tells it, so that another process with the same id is known for another. */
  readonly since: ReturnType<typeof startOf>;
}

/** The living process that holds the lock. */
const holderOf = (file: string): number | undefined => {
  try {
    const { pid, since } = parsedJson(readFileSync(file, 'utf8')) as Holder;
    return isAlive(pid) && startOf(pid) === since ? pid : undefined;
  } catch (error) {
    // Gone, or cut short when the machine went down while it was written.
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};

/** When a process began, where the system tells: numbers of processes are used again. */
const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
};
