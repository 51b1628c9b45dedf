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
  /** What `start` is given; may come later than the thread, which imports the entry meanwhile. */
  readonly start: Promise<StartArguments>;
  /** Where what it writes to its standard output and error goes; nowhere if omitted. */
  readonly log?: ThreadLog;
  /** Soon after it has written something. */
  readonly logged?: () => void;
  /** Whether its thread waits for the first event; otherwise it is started at once. */
  readonly onDemand?: boolean;
}

export interface StartArguments {
  readonly environment: Readonly<Record<string, string>>;
  readonly options: unknown;
}

export interface LocalFunction {
  /** Of one that waits for its first event at once. @throws FunctionFailed if the function cannot be started */
  ready(): Promise<void>;
  /**
   * @param event - JSON
   * @returns the result, JSON
   * @throws FunctionFailed if it threw, ran out of time, or its thread ended
   */
  invoke(event: string): Promise<string>;
  /** Resolves while it has an invocation under way, or before its first one: between them AWS freezes it. */
  thawed(): Promise<void>;
  close(): Promise<void>;
}

/** An invocation that brought no result. The message is for an operator. */
class FunctionFailed extends Error {
  override readonly name = 'FunctionFailed';
}

/** The thread ended before it took the event: another one can do what this one never began. */
class NotReceived extends FunctionFailed {}

/**
 * A function in a worker thread of its own, with its own environment. A thread that ended, whatever
 * ended it, is replaced when the next event comes, and takes the events that the one before was sent while
 * it hung: on AWS they would have come to another instance.
 */
export const localFunction = (settings: FunctionSettings): LocalFunction => {
  let closed = false;
  // For what a thread cannot say any more; and so that a folder that cannot be used is known at once.
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

/** Where Node keeps what it compiles, types stripped: known to a thread before it loads its first file. */
const NODE_COMPILE_CACHE =
  process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'node-compile-cache');

interface Thread {
  readonly started: Promise<void>;
  alive(): boolean;
  invoke(event: string): Promise<string>;
  thawed(): Promise<void>;
  end(): Promise<void>;
}

interface Invocation {
  hasBegun: boolean;
  /** When its time is over; before it has begun, when its thread should have taken it. */
  until: number;
  resolve(result: string): void;
  reject(error: FunctionFailed): void;
}

/** V8 takes more, which then stays: half of it is enough where events come often, a quarter where they do not. */
const YOUNG_MB = 24;
const SMALL_YOUNG_MB = 12;

/** How often it is looked whether invocations have begun, and whether their time is over. */
const WATCH_MS = 50;

/** How long a thread that let an invocation run out of time may take to show that it lives. */
const LIVENESS_MS = 1000;

const startThread = (
  { name, entry, start, log, logged = () => undefined, onDemand, ...limits }: FunctionSettings,
  write: (line: string) => void,
): Thread => {
  const timeoutMs = limits.timeoutSeconds * 1000;
  const { memoryMb } = limits;
  const received = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const own = { entry: entry.href, functionName: name, memoryMb, timeoutMs };
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    name,
    workerData: { ...own, log, received } satisfies ThreadData,
    // Nothing else of the machine's environment, as on AWS; and this the thread takes away.
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

  /** A thread that waits for something answers at once; one that is caught in a loop is replaced. */
  const checkLiveness = () => {
    if (livenessCheck) return;
    livenessCheck = setTimeout(() => void worker.terminate(), LIVENESS_MS);
    send({ type: 'ping' });
  };

  let watching: NodeJS.Timeout | undefined;
  const watch = () => {
    const now = performance.now();
    for (const [id, invocation] of invocations) {
      // Its time begins with it. Until then a thread that does not take it is asked whether it lives.
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
    invoke: (event) => {
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
