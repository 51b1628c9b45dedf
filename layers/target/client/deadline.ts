import type { TimeLeft } from '../../platform/rules/time-left.ts';

/** With less, nothing is sent: what was sent may be done, though nobody hears of it. */
const LEAST_MS = 1000;

/**
 * The seconds that an exchange may take: those that it wants if so many are left, and 0 if too few are.
 *
 * @param keepsSeconds - of those that are left, for what comes after
 */
export const secondsFor = (
  wantedSeconds: number,
  timeLeft: TimeLeft | undefined,
  keepsSeconds = 0,
): number => {
  const leftMs = (timeLeft?.ms() ?? Infinity) - keepsSeconds * 1000;
  return leftMs < LEAST_MS ? 0 : Math.min(wantedSeconds, leftMs / 1000);
};

/**
 * Gives work a signal that aborts after so many seconds, and that never does once the work is done.
 *
 * @param end - aborts it as well
 */
export const withDeadline = async <T>(
  seconds: number,
  work: (signal: AbortSignal) => Promise<T>,
  end?: AbortSignal,
): Promise<T> => {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, seconds * 1000);
  if (end?.aborted) abort();
  end?.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    end?.removeEventListener('abort', abort);
  }
};
