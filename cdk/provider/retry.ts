import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Failure } from './failure.ts';

/** How long something may be tried. */
export interface Until {
  readonly remainingMs: () => number;
  /** Ends what is under way: it would go on in the next invocation, when a stack may have been rolled back. */
  readonly signal: AbortSignal;
}

export const soonerThan = ({ remainingMs, signal }: Until, ms: number): Until => {
  const spare = Math.max(0, remainingMs() - ms);
  return {
    remainingMs: () => remainingMs() - spare,
    signal: AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, remainingMs() - spare))]),
  };
};

/** The service said no, or failed. */
export class Refused extends Failure {
  readonly status: number;
  /** The one of the management API. */
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    { status, code, retryAfterMs }: Pick<Refused, 'status' | 'code' | 'retryAfterMs'>,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Does what may fail for a moment again, as long as there is time: pauses double, and half of each is random, since the
 * servers of a stack are all declared at once.
 *
 * @throws the last error, as soon as it is no use to wait
 */
export const triedAgain = async <Result>(
  act: (signal: AbortSignal) => Promise<Result>,
  { remainingMs, signal }: Until,
): Promise<Result> => {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await act(signal);
    } catch (error) {
      const asked = error instanceof Refused ? (error.retryAfterMs ?? 0) : 0;
      const wait = Math.max(asked, pause / 2 + randomInt(Math.ceil(pause / 2) + 1));
      if (!isTemporary(error) || signal.aborted || wait >= remainingMs()) throw error;
      await setTimeout(wait, undefined, { signal, ref: false });
    }
  }
};

/**
 * Permissions of a role that was just made take seconds to be known everywhere.
 *
 * Source: IAM User Guide, "Troubleshoot IAM", "Changes that I make are not always immediately visible".
 */
const TEMPORARY_NAMES =
  /^(?:AccessDenied|UnrecognizedClient|InvalidClientTokenId|Throttl|TooManyRequests|RequestLimitExceeded|SlowDown|RequestTimeout|TimeoutError)/;

/** Whether the same may succeed a moment later. Also of two deliveries of one event that meet at the service. */
export const isTemporary = (error: unknown): boolean => {
  if (error instanceof Refused) return isTemporaryStatus(error.status) || error.code === 'conflict';
  if (!(error instanceof Error)) return false;
  if (TEMPORARY_NAMES.test(error.name)) return true;
  // Of the SDK of AWS.
  const status: unknown = Reflect.get(Object(Reflect.get(error, '$metadata')), 'httpStatusCode');
  if (typeof status === 'number') return isTemporaryStatus(status);
  return isOfNetwork(error) || isOfNetwork(error.cause);
};

const isTemporaryStatus = (status: number): boolean => status === 429 || status >= 500;

/** Codes of the system and of `fetch`; what is wrong with a request itself begins with `ERR_`. */
const isOfNetwork = (error: unknown): boolean => {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' && !code.startsWith('ERR_');
};
