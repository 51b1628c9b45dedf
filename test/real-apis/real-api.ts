import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWriteStream } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** An API of somebody else that is installed on this machine and started for a few calls. */
export interface RealApi {
  readonly name: string;
  /** Where packages of npm are put, and stay for the next time. */
  readonly install: (cache: string) => Promise<void>;
  /** Starts it on loopback, with configuration and data of its own in an empty folder. */
  readonly start: (folder: string, cache: string) => Promise<RunningApi>;
}

export interface RunningApi extends AsyncDisposable {
  /** Where it listens, without a path: what an owner would give as base address. */
  readonly origin: string;
  readonly description: { readonly file: string; readonly text: string };
  /** Further arguments of `hosted-mcp deploy`: files are those of `files`. */
  readonly deploy: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** What `hosted-mcp credential set` is given: files are those of `files`, the value comes where no file has it. */
  readonly credentials: readonly { readonly args: readonly string[]; readonly value?: string }[];
  readonly headers: Readonly<Record<string, string>>;
  readonly calls: readonly Call[];
}

/** One call of a tool, and what holds afterwards. */
export interface Call {
  readonly title: string;
  readonly tool: string;
  /** Made when it is its turn, since some need what calls before have made. */
  readonly args: () => Readonly<Record<string, unknown>>;
  /** Looks at the answer, and at the API itself by direct requests. @throws Error if something is wrong */
  readonly check: (answer: Answer) => unknown;
  /** Brings the API into the state after this call, for the calls behind one that failed. */
  readonly instead?: () => Promise<unknown>;
}

export interface Answer {
  readonly isError: boolean;
  /** All texts, one after the other. */
  readonly text: string;
  /** Of all texts, `o200k`. */
  readonly tokens: number;
  readonly content: readonly Content[];
  /** The first text as JSON. @throws SyntaxError */
  json(): unknown;
}

export interface Content {
  readonly type: string;
  readonly text?: string | undefined;
  readonly data?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly resource?: { readonly blob?: string; readonly text?: string } | undefined;
}

/** Requests to the API itself, in which JSON goes out and comes back. */
export interface Direct {
  (path: string, init?: { readonly method?: string; readonly body?: unknown }): Promise<unknown>;
  status(path: string): Promise<number>;
  text(path: string): Promise<string>;
}

/** @throws Error of a direct request that is refused */
export const directly = (base: string, headers: Readonly<Record<string, string>> = {}): Direct => {
  const send = async (path: string, method = 'GET', body?: unknown): Promise<Response> => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer;
  };
  const good = async (answer: Response): Promise<string> => {
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
    return text;
  };
  return Object.assign(
    async (path: string, { method, body }: { method?: string; body?: unknown } = {}) => {
      const text = await good(await send(path, method, body));
      return text === '' ? undefined : JSON.parse(text);
    },
    {
      status: async (path: string) => {
        const answer = await send(path);
        await answer.arrayBuffer();
        return answer.status;
      },
      text: async (path: string) => good(await send(path)),
    },
  );
};

/** A model's share of a long answer: 20,000 tokens by the estimate of the service, which is right to a tenth. */
export const MOST_ANSWER_TOKENS = 22_000;

/** What is at a place of JSON; nothing if there is no such place. */
export const at = (json: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce((inside, step) => (Object(inside) as Readonly<Record<string, unknown>>)[step], json);

/** The elements of the list there. @throws Error if it is none */
export const listAt = (
  json: unknown,
  ...path: readonly (string | number)[]
): readonly unknown[] => {
  const list = at(json, ...path);
  if (Array.isArray(list)) return list;
  throw new Error(`no list at ${path.join('/')}`);
};

/** The names of the members of the object there. */
export const namesAt = (json: unknown, ...path: readonly (string | number)[]): readonly string[] =>
  Object.keys(Object(at(json, ...path)));

/** A port of loopback that nobody listens on. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

export interface Started extends AsyncDisposable {
  /** Waits until `isUp` says so. @throws Error with what it printed, when it ends or takes two minutes */
  up(isUp: () => Promise<boolean>): Promise<void>;
}

const POLL_MS = 200;
const LONGEST_START_MS = 120_000;
const LONGEST_STOP_MS = 10_000;

/** Starts a program whose output goes to `log` in its folder. It is stopped by its process id. */
export const startProgram = async (
  folder: string,
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Started> => {
  const file = join(folder, 'log');
  const log = createWriteStream(file, { flags: 'a' });
  await once(log, 'open');
  const child = spawn(command, args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...environment },
    stdio: ['ignore', log, log],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(String(error)));
    child.once('exit', (code, signal) => resolve(`it ended with ${code ?? signal}`));
  });
  const running = { reason: '' };
  void ended.then((reason) => {
    running.reason = reason;
    log.end();
  });
  const stop = async (): Promise<void> => {
    if (running.reason === '') child.kill('SIGTERM');
    const stopped = await Promise.race([
      ended,
      setTimeout(LONGEST_STOP_MS, undefined, { ref: false }),
    ]);
    if (stopped === undefined) {
      child.kill('SIGKILL');
      await ended;
    }
  };
  return {
    up: async (isUp) => {
      const last = Date.now() + LONGEST_START_MS;
      for (;;) {
        if (await isUp().catch(() => false)) return;
        const reason = running.reason || (Date.now() > last && 'it does not answer');
        if (reason) {
          await stop();
          const printed = (await readFile(file, 'utf8')).slice(-3000);
          throw new Error(`${command} did not start: ${reason}\n${printed}`);
        }
        await setTimeout(POLL_MS);
      }
    },
    [Symbol.asyncDispose]: stop,
  };
};

/** An empty folder that is removed afterwards. */
export const emptyFolder = async (): Promise<{ readonly path: string } & AsyncDisposable> => {
  const path = await mkdtemp(join(tmpdir(), 'hosted-mcp-real-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
};

export const folderIn = async (folder: string, name: string): Promise<string> => {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  return path;
};
