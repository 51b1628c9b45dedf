import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeWithSettings } from '../../../lib/functions/settings-file.ts';
import { FUNCTION_SETTINGS, variableOf } from '../../../lib/stage/variables.ts';
import { startRuntimeApi } from './runtime-api.ts';

const RUNTIME = fileURLToPath(new URL('lambda-runtime.mjs', import.meta.url));

export interface RunningLambda {
  /** @returns what the handler returned. @throws Error when the handler threw */
  invoke(event: unknown): Promise<unknown>;
  /** Everything the function has written to its standard output and error. */
  output(): string;
  /** The most memory that it has held so far, in bytes; of Linux. */
  peakBytes(): number;
  close(): void;
}

export interface LambdaSettings {
  readonly name: string;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
}

/**
 * Starts a function's bundle in a process of its own, with nothing but the given environment and what
 * Lambda adds to it. Source: AWS Lambda, "Defined runtime environment variables".
 *
 * @param bundle - folder of the bundle, which is laid out in another one, as it is in `/var/task`
 * @param given - variables, of which some stand in a file, as in a stage
 * @throws Error when the bundle cannot be loaded
 */
export const startLambda = async (
  bundle: string,
  given: Readonly<Record<string, string>>,
  { name, memoryMb, timeoutSeconds }: LambdaSettings,
): Promise<RunningLambda> => {
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-task-'));
  const environment = deployed(folder, bundle, given);
  const api = await startRuntimeApi(timeoutSeconds);
  // Flags of node and a path: AWS's own client, to see that it does as ours.
  const client = (process.env['LAMBDA_RUNTIME_CLIENT'] ?? RUNTIME).split(' ');
  const child = spawn(process.execPath, [...heapOf(memoryMb), ...client, 'index.handler'], {
    cwd: folder,
    env: {
      ...environment,
      _HANDLER: 'index.handler',
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_RUNTIME_API: api.address,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '1',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
      AWS_LAMBDA_LOG_GROUP_NAME: `/hosted-mcp/${name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_LEVEL: 'INFO',
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      TZ: ':UTC',
      LANG: 'en_US.UTF-8',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.on('close', () => api.ended(output));
  const close = (): void => {
    child.kill();
    api.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await api.ready;
  } catch (error) {
    close();
    throw error;
  }
  const peakBytes = (): number => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
  };
  return { invoke: api.invoke, output: () => output, peakBytes, close };
};

/**
 * How much of a function's memory AWS has node use: nine tenths for what lives long, a twentieth for each half
 * of what does not. Source: `/var/runtime/bootstrap` of the images `public.ecr.aws/lambda/nodejs`.
 */
const heapOf = (memoryMb: number): readonly string[] => {
  const young = Math.floor(memoryMb / 10);
  return [
    `--max-semi-space-size=${Math.floor(young / 2)}`,
    `--max-old-space-size=${memoryMb - young}`,
  ];
};

/** A function that calls this machine too, as those of the local run do; otherwise the very bundle. */
export const withLoopback = async (bundled: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'with-loopback-'));
  const from = JSON.stringify(join(bundled, 'index.mjs'));
  const options = '{ targets: { loopback: { exceptPorts: [] } } }';
  await writeFile(
    join(folder, 'index.mjs'),
    `import { start } from ${from};\nexport const handler = start(process.env, ${options});\n`,
  );
  return folder;
};

const LONG = new Set<string>(
  FUNCTION_SETTINGS.flatMap(([key, { isLong }]) => (isLong ? [variableOf(key)] : [])),
);

/** The variables that stay, and the name of the file with the others. */
const deployed = (
  folder: string,
  bundle: string,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const isSetting = ([name]: readonly [string, string]) => name === 'NETWORK' || LONG.has(name);
  const all = Object.entries(given);
  const settings = Object.fromEntries(all.filter(isSetting));
  const others = Object.fromEntries(all.filter((one) => !isSetting(one)));
  return { ...others, ...writeWithSettings(folder, bundle, settings) };
};
