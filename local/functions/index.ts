import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { openLogFile } from './log-file.ts';
import type { FromThread, ThreadData, ThreadLog, ToThread } from './messages.ts';

export interface FunctionSettings {
  readonly name: string;
  /** The entry module, which exports `start(environment, options)`. */
  readonly entry: URL;
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Arguments of `start`. The thread imports the entry before they are known. */
  readonly start: Promise<StartArguments>;
  /** Destination of the function's standard output and error; nowhere if omitted. */
  readonly log?: ThreadLog;
  readonly logged?: () => void;
  /** Whether its thread starts with the first event; otherwise, it starts at once. */
  readonly onDemand?: boolean;
}

export interface StartArguments {
  readonly environment: Readonly<Record<string, string>>;
  readonly options: unknown;
}

export interface LocalFunction {
  /** Resolves once it is started; at once if it waits for its first event. @throws FunctionFailed if it cannot start */
  ready(): Promise<void>;
  /** Event and result are JSON. @throws FunctionFailed if it threw, ran out of time, or its thread ended */
  invoke(event: string): Promise<string>;
  /** Resolves while an invocation runs, or before the first one. Between invocations, AWS freezes a function. */
  thawed(): Promise<void>;
  close(): Promise<void>;
}

/** An invocation that brought no result. The message is for an operator. */
class FunctionFailed extends Error {
  override readonly name = 'FunctionFailed';
}

/** The thread ended before it took the event, so another one can do it. */
class NotReceived extends FunctionFailed {}

/**
 * A function in a worker thread of its own, with its own environment. A thread that ended, for whatever reason, is
 * replaced at the next event. Its successor also takes events that it was sent while it hung: on AWS, another
 * instance would have got them.
 */
export const localFunction = (settings: FunctionSettings): LocalFunction => {
  let closed = false;
  // For what a thread can no longer say itself. It also shows at once whether the folder can be used.
  const file = settings.log && openLogFile({ ...settings.log, name: settings.name });
  const start = () => startThread(settings, (line) => file?.write(line));
  let thread = settings.onDemand ? undefined : start();
  settings.start.catch(() => undefined);

  const running = (): Thread => {
    if (closed) throw new FunctionFailed(`${settings.name} is stopped`);
    if (!thread?.alive()) thread = start();
    return thread;
  };
  return {
    ready: async () => (thread || !settings.onDemand ? running().started : undefined),
    invoke: async (event) => {
      const send = async () => {
        const current = running();
        await current.started;
        return current.invoke(event);
      };
      return send().catch((error: unknown) => {
        if (!(error instanceof NotReceived)) throw error;
        return send();
      });
    },
    thawed: async () => thread?.thawed(),
    close: async () => {
      closed = true;
      await thread?.end();
      file?.close();
    },
  };
};

/** Folder of Node's compile cache, which a thread must know before it loads its first file. */
const NODE_COMPILE_CACHE =
  process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'node-compile-cache');

type Thread = ReturnType<typeof startThread>;

interface Invocation {
  hasBegun: boolean;
  /** By `performance.now()`: the end of its time or, before it begins, the latest time for its thread to begin it. */
  until: number;
  resolve(result: string): void;
  reject(error: FunctionFailed): void;
}

/** Without a limit, V8 takes more and keeps it. Half of that is enough for frequent events, a quarter for rare ones. */
const YOUNG_MB = 24;
const SMALL_YOUNG_MB = 12;

/** How often invocations are checked: whether they have begun, and whether their time is over. */
const WATCH_MS = 50;

/** How long a thread may take to answer a ping after one of its invocations ran out of time. */
const LIVENESS_MS = 1000;

const startThread = (
  { name, entry, start, log, logged = () => undefined, onDemand, ...limits }: FunctionSettings,
  write: (line: string) => void,
) => {
  const timeoutMs = limits.timeoutSeconds * 1000;
  const { memoryMb } = limits;
  const received = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const own = { entry: entry.href, functionName: name, memoryMb, timeoutMs };
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    name,
    workerData: { ...own, log, received } satisfies ThreadData,
    // No other variable of the machine, as on AWS; the thread removes this one.
    env: { NODE_COMPILE_CACHE },
    stdout: true,
    stderr: log?.isShown !== true,
    resourceLimits: {
      maxOldGenerationSizeMb: memoryMb,
      maxYoungGenerationSizeMb: onDemand ? SMALL_YOUNG_MB : YOUNG_MB,
    },
  });
  const send = (message: ToThread) => worker.postMessage(message);

  const started = Promise.withResolvers<void>();
  const invocations = new Map<number, Invocation>();
  let thaw = Promise.withResolvers<void>();
  thaw.resolve();
  let alive = true;
  let lastId = 0;
  let livenessCheck: NodeJS.Timeout | undefined;

  const isReceived = (id: number): boolean => id <= Atomics.load(received, 0);
  const ended = (why: string) => {
    alive = false;
    clearTimeout(livenessCheck);
    logged();
    started.reject(new FunctionFailed(`${name} ${why}`));
    for (const [id, { reject }] of invocations) {
      reject(new (isReceived(id) ? FunctionFailed : NotReceived)(`${name} ${why}`));
    }
  };
  worker.on('error', (error) => {
    write(`${JSON.stringify({ level: 'error', event: 'thread_error', stack: error.stack })}\n`);
    ended(`crashed: ${error.message}`);
  });
  worker.on('exit', () => ended('ended'));

  worker.on('message', (message: FromThread) => {
    switch (message.type) {
      case 'started':
        return started.resolve();
      case 'not-started':
        ended(`could not start: ${message.reason}`);
        return void worker.terminate();
      case 'result':
        return invocations.get(message.id)?.resolve(message.result);
      case 'error':
        return invocations
          .get(message.id)
          ?.reject(new FunctionFailed(`${name} failed: ${message.reason}`));
      case 'logged':
        return logged();
      case 'pong':
        clearTimeout(livenessCheck);
        livenessCheck = undefined;
        return;
    }
  });

  /** A thread that waits for something answers at once. One that is caught in a loop is ended, and later replaced. */
  const checkLiveness = () => {
    if (livenessCheck) return;
    livenessCheck = setTimeout(() => void worker.terminate(), LIVENESS_MS);
    send({ type: 'ping' });
  };

  let watching: NodeJS.Timeout | undefined;
  const watch = () => {
    const now = performance.now();
    for (const [id, invocation] of invocations) {
      // The timeout counts from the begin of an invocation. A thread that is late to begin it is pinged.
      if (!invocation.hasBegun && isReceived(id)) {
        invocation.hasBegun = true;
        invocation.until = now + timeoutMs;
      }
      if (now < invocation.until) continue;
      if (invocation.hasBegun) {
        invocation.reject(new FunctionFailed(`${name} did not answer in ${timeoutMs} ms`));
      }
      checkLiveness();
    }
    if (invocations.size > 0) return;
    clearInterval(watching);
    watching = undefined;
  };

  started.promise.catch(() => undefined);
  start.then(
    (given) => send({ type: 'start', ...given }),
    () => worker.terminate(),
  );

  return {
    started: started.promise,
    alive: () => alive,
    invoke: (event: string): Promise<string> => {
      if (!alive) return Promise.reject(new NotReceived(`${name} ended`));
      const id = (lastId += 1);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const until = performance.now() + timeoutMs;
      invocations.set(id, { hasBegun: false, until, resolve, reject });
      watching ??= setInterval(watch, WATCH_MS).unref();
      thaw.resolve();
      send({ type: 'invoke', id, event });
      return promise.finally(() => {
        invocations.delete(id);
        if (invocations.size === 0) thaw = Promise.withResolvers();
      });
    },
    thawed: () => thaw.promise,
    end: async () => {
      await worker.terminate();
    },
  };
};
