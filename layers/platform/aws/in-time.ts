import { DeadlineExceeded } from '../rules/fault.ts';
import type { TimeLeft } from '../rules/time-left.ts';

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
