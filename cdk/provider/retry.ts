import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Failure } from './failure.ts';

export interface Until {
  readonly remainingMs: () => number;
  /** Aborts calls under way: they would go on in the next invocation, when the stack may have been rolled back. */
  readonly signal: AbortSignal;
}

export const soonerThan = ({ remainingMs, signal }: Until, ms: number): Until => {
  const spare = Math.max(0, remainingMs() - ms);
  return {
    remainingMs: () => remainingMs() - spare,
    signal: AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, remainingMs() - spare))]),
  };
};

export class Refused extends Failure {
  readonly status: number;
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
 * Pauses between retries double, and half of each is random, since all servers of a stack are declared at once.
 * @throws the last error, as soon as waiting is no use
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
 * Errors of AWS that pass: permissions of a new role take seconds to be known everywhere. Source: IAM User Guide,
 * "Troubleshoot IAM", "Changes that I make are not always immediately visible".
 */
const TEMPORARY_NAMES =
  /^(?:AccessDenied|UnrecognizedClient|InvalidClientTokenId|Throttl|TooManyRequests|RequestLimitExceeded|SlowDown|RequestTimeout|TimeoutError)/;

/** Whether the same may succeed a moment later. `conflict`: two deliveries of one event met at the service. */
export const isTemporary = (error: unknown): boolean => {
  if (error instanceof Refused) return isTemporaryStatus(error.status) || error.code === 'conflict';
  if (!(error instanceof Error)) return false;
  if (TEMPORARY_NAMES.test(error.name)) return true;
  const status: unknown = Reflect.get(Object(Reflect.get(error, '$metadata')), 'httpStatusCode');
  if (typeof status === 'number') return isTemporaryStatus(status);
  return isOfNetwork(error) || isOfNetwork(error.cause);
};

const isTemporaryStatus = (status: number): boolean => status === 429 || status >= 500;

/** Error codes of the system and of `fetch`; a code `ERR_…` means that the request itself is wrong. */
const isOfNetwork = (error: unknown): boolean => {
  const code: unknown = Reflect.get(Object(error), 'code');
  return typeof code === 'string' && !code.startsWith('ERR_');
};
