import type { Log } from './log.ts';

/**
 * Does what follows a decided outcome, such as returning leases, resetting counts and sending notices. Failures are
 * only logged: the answer must not ask the client to repeat what has been done.
 * @param what - name of the work in the log
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
