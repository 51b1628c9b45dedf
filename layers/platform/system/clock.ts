import { AsyncLocalStorage } from 'node:async_hooks';
import type { EpochSeconds } from '../rules/time.ts';
import { once } from '../rules/once.ts';
import type { TimeLeft } from '../rules/time-left.ts';
import { DeadlineExceeded } from '../rules/fault.ts';

export const systemClock = () => ({
  /** Whole epoch seconds. */
  now: (): EpochSeconds => Math.floor(Date.now() / 1000),
  /** Monotonic milliseconds, for durations only. */
  elapsedMs: (): number => performance.now(),
});

export type Clock = ReturnType<typeof systemClock>;

/** Waits for the given milliseconds, randomly varied by 25 %, so that waiting callers do not act at the same moment. */
export const systemPause = () => (ms: number) =>
  new Promise<void>((over) => void setTimeout(over, ms * (0.75 + Math.random() / 2)));

export type Pause = ReturnType<typeof systemPause>;

export interface InvocationContext {
  getRemainingTimeInMillis(): number;
  readonly awsRequestId?: string;
}

export interface InvocationTime extends TimeLeft {
  /** Binds all calls of `inTime` clients within `work` to the remaining time of this invocation. */
  within<Result>(
    context: InvocationContext | undefined,
    work: () => Promise<Result>,
  ): Promise<Result>;
}

/** Milliseconds reserved for sending the answer. */
const ANSWER_MS = 1000;
/** Milliseconds before the end at which all remaining waits are given up. */
const LAST_MS = 500;

interface Invocation {
  ms(): number;
  signal(): AbortSignal;
  last(): AbortSignal;
  /** Clears the signals' timers. */
  end(): void;
}

/**
 * Remaining time of each invocation, from Lambda's context. An AsyncLocalStorage keeps concurrent invocations apart.
 * Source: AWS Lambda Developer Guide, "Using the Lambda context object to retrieve Node.js function information".
 */
export const invocationTime = (): InvocationTime => {
  const invocations = new AsyncLocalStorage<Invocation>();
  return {
    within: (context, work) => {
      if (context === undefined) return work();
      const invocation = invocationOf(context);
      return invocations.run(invocation, work).finally(invocation.end);
    },
    ms: () => invocations.getStore()?.ms() ?? Infinity,
    signal: () => invocations.getStore()?.signal(),
    orGiveUp: (work) => {
      const invocation = invocations.getStore();
      return invocation ? untilAborted(invocation.last(), work) : work();
    },
  };
};

const invocationOf = (context: InvocationContext): Invocation => {
  const left = (keptMs: number) =>
    Math.max(0, Math.floor(context.getRemainingTimeInMillis() - keptMs));
  const timers: NodeJS.Timeout[] = [];
  /** The timer keeps no process alive. */
  const endAfter = (ms: number): AbortSignal => {
    if (ms === 0) return AbortSignal.abort();
    const over = new AbortController();
    timers.push(setTimeout(() => over.abort(), ms).unref());
    return over.signal;
  };
  return {
    ms: () => left(ANSWER_MS),
    signal: once(() => endAfter(left(ANSWER_MS))),
    last: once(() => endAfter(left(LAST_MS))),
    end: () => timers.forEach(clearTimeout),
  };
};

/** Satisfied by all SDK clients, including the document client. */
export interface SdkClient {
  // Overloaded in the SDK; only its second argument matters here.
  send: (...sent: never) => unknown;
}

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

/** Aborts all calls of a client when the invocation's time is over: running ones are given up, and no retry starts. */
export const inTime = <Client extends SdkClient>(
  client: Client,
  timeLeft: TimeLeft | undefined,
): Client => {
  if (!timeLeft) return client;
  const send = client.send.bind(client) as (
    command: unknown,
    options?: SendOptions,
  ) => Promise<unknown>;
  client.send = ((command: unknown, options: SendOptions = {}) => {
    const end = timeLeft.signal();
    if (!end) return send(command, options);
    const { abortSignal: own } = options;
    const abortSignal = own ? AbortSignal.any([end, own]) : end;
    return untilAborted(end, () => send(command, { ...options, abortSignal }));
  }) as Client['send'];
  return client;
};

/** @throws DeadlineExceeded when the signal aborts */
export const untilAborted = async <Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> => {
  if (signal.aborted) throw new DeadlineExceeded('lambda');
  const over = Promise.withResolvers<never>();
  const give = () => over.reject(new DeadlineExceeded('lambda'));
  signal.addEventListener('abort', give, { once: true });
  try {
    return await Promise.race([work(), over.promise]);
  } finally {
    signal.removeEventListener('abort', give);
  }
};
