/** Aborted by the first signal that ends programs; the next one has its usual effect. */
export const interrupted = (): AbortSignal => {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => ending.abort());
  }
  return ending.signal;
};
