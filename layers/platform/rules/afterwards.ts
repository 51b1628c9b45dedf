import type { Log } from './log.ts';

/**
 * Does what comes after the outcome of a request is certain: leases given back, counts reset, marks and notices.
 * It ends with the invocation, and where it fails that is logged and decides nothing: the answer tells what was done,
 * and must not ask for it again.
 *
 * @param what - names it in the log
 */
export const afterwards = async (
  { log }: { readonly log: Log },
  what: string,
  work: () => Promise<unknown>,
): Promise<void> => {
  try {
    await work();
  } catch (error) {
    log.write({ message: 'not_done_afterwards', level: 'error', what, error });
  }
};
