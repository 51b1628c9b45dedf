import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { ExitCode } from '../../../cli/failure.ts';
import { run } from '../../../cli/run.ts';
import type { World } from '../../../cli/world.ts';
import { rememberCompiledSchemas } from './compiled-schemas.ts';

/** One person's machine: a folder of their own, and a terminal or pipes. */
export interface TestMachine {
  readonly folder: string;
  readonly configFile: string;
  run(args: readonly string[], situation?: Situation): Promise<Said>;
  remove(): Promise<void>;
}

export interface Situation {
  /** What a pipe gives to standard input. */
  readonly input?: string;
  /** What a person types at a terminal, one line for each question. */
  readonly typed?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly now?: number;
  readonly fetch?: World['fetch'];
  readonly browse?: World['browse'];
  /** All that standard error has shown so far, whenever it shows more. */
  readonly onError?: (shown: string) => void;
  /** The folder of the files of stages. */
  readonly stages?: string;
}

export interface Said {
  readonly code: ExitCode;
  readonly out: string;
  readonly errors: string;
  /** Standard output as JSON. */
  json(): Record<string, unknown>;
}

/** A moment as this machine's clock shows it. @param at - as ISO 8601 */
export const here = (at: string): string => new Date(at).toLocaleString('sv');

/** @param baseUrl - of the service that its commands go to when they name none */
export const aMachineFor = async (baseUrl?: string): Promise<TestMachine> => {
  rememberCompiledSchemas();
  const folder = await mkdtemp(join(tmpdir(), 'hosted-mcp-cli-'));
  const configFile = join(folder, 'config', 'config.json');
  return {
    folder,
    configFile,
    run: async (args, situation = {}) => {
      const { input = '', typed, environment = {}, now, fetch: send = fetch } = situation;
      const stdin = screen(typed !== undefined);
      const [stdout, stderr] = [screen(typed !== undefined), screen(typed !== undefined)];
      const said = { out: '', errors: '' };
      stdout.on('data', (chunk) => (said.out += chunk));
      stderr.on('data', (chunk) => {
        said.errors += chunk;
        situation.onError?.(said.errors);
      });
      if (typed === undefined) stdin.end(input);
      else answering(stdin, stderr, typed);
      const code = await run(args, {
        environment: {
          HOSTED_MCP_CONFIG: configFile,
          ...(baseUrl !== undefined && { HOSTED_MCP_URL: baseUrl }),
          ...environment,
        },
        home: folder,
        stdin,
        stdout,
        stderr,
        fetch: send,
        ...(situation.browse && { browse: situation.browse }),
        ...(situation.stages !== undefined && { stages: situation.stages }),
        now: () => now ?? Math.floor(Date.now() / 1000),
      });
      return { code, ...said, json: () => JSON.parse(said.out) };
    },
    remove: () => rm(folder, { recursive: true }),
  };
};

/** A stream that is a terminal or is not. */
const screen = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });

/** Types the next line whenever a question stands there. */
const answering = (stdin: PassThrough, stderr: PassThrough, typed: readonly string[]): void => {
  const lines = [...typed];
  stderr.on('data', (chunk: Buffer) => {
    if (String(chunk).endsWith(': ')) setImmediate(() => stdin.write(`${lines.shift() ?? ''}\r`));
  });
};
