import { spawn } from 'node:child_process';

export interface Ended {
  /** All that it wrote, without colours. */
  readonly text: string;
  readonly isLate: boolean;
}

export interface ProgramSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Is told all that has been written so far, as often as there is more. @returns what to write to it */
  readonly onText?: (text: string) => Promise<string | undefined>;
}

/** No client takes longer: one that waits for something waits for nobody here. */
const MOST_MS = 60_000;
// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001b\[[\d;?]*[A-Za-z]|\u001b\]8;;[^\u0007\u001b]*(?:\u0007|\u001b\\)/g;

/** Runs a program of Node's to its end, which comes in any case; what it has started ends with it. */
export const runProgram = async (
  args: readonly string[],
  { env, cwd, onText }: ProgramSettings,
): Promise<Ended> => {
  const [command, given] = onText ? inTerminal(args) : [process.execPath, args];
  const child = spawn(command, given, { env, cwd, detached: true });
  let text = '';
  let isLate = false;
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, MOST_MS);
  const read = (chunk: Buffer) => {
    text += chunk.toString('utf8').replaceAll(COLOURS, '');
    void onText?.(text).then((typed) => {
      if (typed !== undefined) child.stdin.write(typed);
    });
  };
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  if (!onText) child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  end();
  return { text, isLate };
};

/** Who asks a person wants a terminal: one that is too wide to break an address. */
const inTerminal = (args: readonly string[]): readonly [string, readonly string[]] => {
  const quoted = [process.execPath, ...args].map((arg) => `'${arg.replaceAll("'", `'\\''`)}'`);
  return ['script', ['-qfec', `stty cols 4000; exec ${quoted.join(' ')}`, '/dev/null']];
};
