import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Took {
  readonly wallMs: number;
  /** Of the processor. */
  readonly cpuMs: number;
}

/** What one list took, or why there is none. */
export type Listed = Took | { readonly failed: string };

export interface Contender {
  /** Asks for one more list. */
  again(): void;
  /** What the next list took; the first is made by itself, and counted from the process's start. */
  listed(): Promise<Listed>;
  end(): void;
}

const TIMEOUT_MS = 60_000;
const PROGRAM = fileURLToPath(new URL('make-lists.mjs', import.meta.url));
const GUARD = new URL('loopback-only.mjs', import.meta.url).href;

/**
 * How contenders are kept from reaching beyond loopback: with a network of their own, or, where the
 * system gives none, with a module that refuses.
 */
export const isolation: 'a network of its own' | 'a module that refuses' =
  spawnSync('unshare', ['-rn', 'true']).status === 0
    ? 'a network of its own'
    : 'a module that refuses';

/** Starts a contender in a process of its own that reaches nothing beyond loopback. */
export const startContender = (...args: readonly string[]): Contender => {
  const [command, first]: [string, string[]] =
    isolation === 'a network of its own'
      ? ['unshare', ['-rn', process.execPath]]
      : [process.execPath, ['--import', GUARD]];
  const child = spawn(command, [...first, PROGRAM, ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // A process that has ended takes no more orders; that it ended is told below.
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    again: () => void child.stdin.write('\n'),
    listed: async () => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, TIMEOUT_MS);
      const { value, done } = await lines.next();
      clearTimeout(timer);
      if (isLate) return { failed: `nothing after ${TIMEOUT_MS / 1000} s` };
      return done === true ? { failed: 'the process ended' } : JSON.parse(value);
    },
    end: () => void child.kill('SIGKILL'),
  };
};
