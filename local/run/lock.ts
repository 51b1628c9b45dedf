import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf } from './start-refused.ts';
import { parsedJson } from '../../layers/platform/rules/json/parsed-json.ts';

export interface Lock {
  release(): void;
}

/** Takes a lock file, which names its process; that of a killed process is taken over. @throws file system errors */
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

const holderOf = (file: string): number | undefined => {
  try {
    const held = parsedJson(readFileSync(file, 'utf8'));
    const { pid, since } = held as { readonly pid: number; readonly since: string };
    return isAlive(pid) && startOf(pid) === since ? pid : undefined;
  } catch (error) {
    // The file is gone, or was cut short when the machine went down.
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

/** Start of a process, if the system tells it. Ids of processes are used again. */
const startOf = (pid: number): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
};
