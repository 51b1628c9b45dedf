import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const RUNTIME = fileURLToPath(new URL('lambda-runtime.mjs', import.meta.url));

export interface RunningLambda {
  readonly importMs: number;
  /** @returns what the handler returned. @throws Error when the handler threw */
  invoke(event: unknown): Promise<unknown>;
  /** Everything the function has written to its standard output and error. */
  output(): string;
  close(): void;
}

/** Starts a function's bundle in a process of its own, with nothing but the given environment. */
export const startLambda = async (
  bundle: string,
  environment: Readonly<Record<string, string>>,
): Promise<RunningLambda> => {
  const child = spawn(process.execPath, [RUNTIME, bundle], { env: environment });
  let output = '';
  const waiting: ((line: string) => void)[] = [];
  const next = () => new Promise<string>((resolve) => waiting.push(resolve));
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    if (line.startsWith('@@')) waiting.shift()?.(line);
    else output += `${line}\n`;
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.on('exit', () => {
    for (const resolve of waiting.splice(0)) {
      resolve(`@@answer ${JSON.stringify({ error: { name: 'Exit', message: output } })}`);
    }
  });

  const first = await next();
  if (!first.startsWith('@@import')) throw new Error(`the bundle cannot be imported: ${output}`);
  return {
    importMs: Number(first.split(' ')[1]),
    invoke: async (event) => {
      const answer = next();
      child.stdin.write(`${JSON.stringify(event)}\n`);
      const { value, error } = JSON.parse((await answer).slice('@@answer '.length)) as {
        value?: unknown;
        error?: { name: string; message: string };
      };
      if (error) throw new Error(`${error.name}: ${error.message}`);
      return value;
    },
    output: () => output,
    close: () => child.kill(),
  };
};
