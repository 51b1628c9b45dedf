import { AsyncLocalStorage } from 'node:async_hooks';
import type { EpochSeconds } from '../rules/time.ts';
import { once } from '../rules/once.ts';
import type { TimeLeft } from '../rules/time-left.ts';
import { DeadlineExceeded } from '../rules/fault.ts';

/** The machine's clocks: the wall clock for moments, the monotonic one for durations. */
export const systemClock = () => ({
  /** Epoch seconds, whole. */
  now: (): EpochSeconds => Math.floor(Date.now() / 1000),
  /** Milliseconds on a clock that never goes back, for durations only. */
  elapsedMs: (): number => performance.now(),
});

export type Clock = ReturnType<typeof systemClock>;

/** Waits for about so many milliseconds: whoever waits for the same thing does not look at the same moment. */
export const systemPause = () => (ms: number) =>
  new Promise<void>((over) => void setTimeout(over, ms * (0.75 + Math.random() / 2)));

export type Pause = ReturnType<typeof systemPause>;

/** What Lambda hands a function with each event, as far as it is looked at. */
export interface InvocationContext {
  /** Milliseconds before Lambda ends the invocation. */
  getRemainingTimeInMillis(): number;
  readonly awsRequestId?: string;
}

export interface InvocationTime extends TimeLeft {
  /** Whatever `work` begins ends with this invocation. */
  within<Result>(
    context: InvocationContext | undefined,
    work: () => Promise<Result>,
  ): Promise<Result>;
}

/** Milliseconds that are kept for writing the answer, and for its way through the runtime. */
const ANSWER_MS = 1000;
/** Of these: when whatever still waits is given up. */
const LAST_MS = 500;

interface Invocation {
  ms(): number;
  signal(): AbortSignal;
  last(): AbortSignal;
  /** Clears the timers of its signals, which would otherwise live until its time is over. */
  end(): void;
}

/**
 * The time that is left to each invocation, told by Lambda. It follows the work of the invocation, so that
 * others beside it have their own.
 *
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
  /** It keeps no process alive. */
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

/** As all clients of the SDK are, also those that wrap others. */
export interface SdkClient {
  // The SDK overloads it; nothing but its second argument is looked at.
  send: (...sent: never) => unknown;
}

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

/**
 * Has every call of a client end when the invocation may take no longer, its retries and pauses included:
 * what is under way is given up then, and a retry is not begun.
 */
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

/** @throws DeadlineExceeded as soon as the signal says so */
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
