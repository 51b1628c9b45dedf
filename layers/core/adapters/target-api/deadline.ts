/** Gives work a signal that aborts after so many seconds, and that never does once the work is done. */
export const withDeadline = async <T>(
  seconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), seconds * 1000);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
};
