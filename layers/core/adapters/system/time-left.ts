import { AsyncLocalStorage } from 'node:async_hooks';
import type { TimeLeft } from '../../ports.ts';

/** What Lambda hands a function with each event, as far as it is looked at. */
export interface InvocationContext {
  /** Milliseconds before Lambda ends the invocation. */
  getRemainingTimeInMillis(): number;
}

export interface InvocationTime extends TimeLeft {
  /** Whatever `work` begins ends with this invocation. */
  within<Result>(context: InvocationContext | undefined, work: () => Result): Result;
}

/** Milliseconds that are kept for writing the answer, and for its way through the runtime. */
const ANSWER_MS = 1000;

interface Invocation {
  ms(): number;
  readonly signal: AbortSignal;
}

/**
 * The time that is left to each invocation, told by Lambda. It follows the work of the invocation, so that
 * others beside it have their own.
 *
 * @param answerMs - kept for the answer
 *
 * Source: AWS Lambda Developer Guide, "Using the Lambda context object to retrieve Node.js function information".
 */
export const invocationTime = (answerMs = ANSWER_MS): InvocationTime => {
  const invocations = new AsyncLocalStorage<Invocation>();
  return {
    within: (context, work) =>
      context === undefined ? work() : invocations.run(invocationOf(context, answerMs), work),
    ms: () => invocations.getStore()?.ms() ?? Infinity,
    signal: () => invocations.getStore()?.signal,
  };
};

const invocationOf = (context: InvocationContext, answerMs: number): Invocation => {
  const ms = () => Math.max(0, Math.floor(context.getRemainingTimeInMillis() - answerMs));
  let signal: AbortSignal | undefined;
  return {
    ms,
    get signal() {
      return (signal ??= AbortSignal.timeout(ms()));
    },
  };
};
