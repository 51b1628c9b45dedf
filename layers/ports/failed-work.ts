import type { FailedMessage, FailedQueue } from '../platform/rules/failed-work.ts';

/** The queues of what functions failed at for good. */
export interface FailedWork {
  /** How many messages wait, roughly. @throws Fault */
  count(queue: FailedQueue): Promise<number>;
  /**
   * Some of those that wait, ten at most; nobody else is given them for so long.
   *
   * @throws Fault
   */
  receive(queue: FailedQueue, hiddenSeconds: number): Promise<readonly FailedMessage[]>;
  /** @throws Fault */
  remove(queue: FailedQueue, receipt: string): Promise<void>;
  /** Has calls stored once more; those that are stored already count once. @throws Fault */
  storeAgain(body: string): Promise<void>;
}

/** Sends the function `mails` an event that it failed at before. */
export interface MailEvents {
  /** Resolves when the event is kept, which says nothing of the mail. @throws Fault */
  send(event: object): Promise<void>;
}
