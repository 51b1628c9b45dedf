import { AsyncLocalStorage } from 'node:async_hooks';
import type { TimeLeft } from '../rules/time-left.ts';
import { untilAborted } from '../aws/in-time.ts';

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
    within: (context, work) =>
      context === undefined ? work() : invocations.run(invocationOf(context), work),
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
  return {
    ms: () => left(ANSWER_MS),
    signal: once(() => endAfter(left(ANSWER_MS))),
    last: once(() => endAfter(left(LAST_MS))),
  };
};

/** It keeps no process alive. */
const endAfter = (ms: number): AbortSignal =>
  ms > 0 ? AbortSignal.timeout(ms) : AbortSignal.abort();

const once = <Value>(make: () => Value): (() => Value) => {
  let made: Value | undefined;
  return () => (made ??= make());
};
