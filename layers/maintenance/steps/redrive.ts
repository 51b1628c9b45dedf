import {
  FAILED_QUEUES,
  type FailedItem,
  failedItem,
  type FailedMessage,
  type FailedQueue,
} from '../../platform/rules/failed-work.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { AccountsPorts } from '../../accounts/ports.ts';

type RedrivePorts = Pick<AccountsPorts, 'clock' | 'failedWork' | 'mailEvents' | 'timeLeft'>;

export interface QueueContents {
  readonly queue: FailedQueue;
  /** Approximate number of messages. */
  readonly waiting: number;
  /** At most ten messages, grouped by `what` and `why`. */
  readonly samples: readonly FailedSample[];
}

export interface FailedSample {
  readonly what: string;
  readonly why: string;
  readonly count: number;
  readonly since: EpochSeconds;
}

export interface Redriven {
  readonly queue: FailedQueue;
  /** Messages passed on for another attempt; if that fails too, they return to the queue. */
  readonly moved: number;
  /** Messages that were removed because they are no longer needed. */
  readonly dropped: number;
  /** Messages that a person must look at. */
  readonly left: number;
}

/** No visibility timeout, since looking must not hide messages from others. */
const LOOK_SECONDS = 0;
/** Maximum time for a batch of ten messages. */
const MOVE_SECONDS = 120;
const LEAST_MS = 30_000;

/** Samples of what waits in the dead-letter queues, and why. Removes nothing. */
export const listFailed = async (
  { clock, failedWork }: RedrivePorts,
  queue: FailedQueue | undefined,
): Promise<readonly QueueContents[]> =>
  Promise.all(
    queuesOf(queue).map(async (one) => {
      const [waiting, seen] = await Promise.all([
        failedWork.count(one),
        failedWork.receive(one, LOOK_SECONDS),
      ]);
      const items = seen.map((message) => ({ message, ...failedItem(one, message, clock.now()) }));
      const alike = Map.groupBy(items, ({ what, why }) => `${what}\n${why}`);
      const samples = [...alike.values()].map((same) => ({
        what: same[0]?.what ?? '',
        why: same[0]?.why ?? '',
        count: same.length,
        since: Math.min(...same.map(({ message }) => message.sentAt)),
      }));
      return { queue: one, waiting: Math.max(waiting, seen.length), samples };
    }),
  );

/**
 * Passes each failed message on for another attempt, once: messages that return meanwhile wait for the next command. A
 * message is removed only afterwards, so a crash can deliver it twice, which all handlers tolerate.
 * @returns `complete: false` if time ran out before all queues were empty
 */
export const redrive = async (
  ports: RedrivePorts,
  queue: FailedQueue | undefined,
): Promise<{ readonly queues: readonly Redriven[]; readonly complete: boolean }> => {
  const begunAt = ports.clock.now();
  const queues: Redriven[] = [];
  let complete = true;
  for (const one of queuesOf(queue)) {
    const counts = { moved: 0, dropped: 0, left: 0 };
    for (;;) {
      if (ports.timeLeft.ms() < LEAST_MS) {
        complete = false;
        break;
      }
      const messages = await ports.failedWork.receive(one, MOVE_SECONDS);
      const known = messages.filter(({ sentAt }) => sentAt <= begunAt);
      for (const message of known) counts[await handled(ports, one, message)] += 1;
      if (known.length === 0) break;
    }
    queues.push({ queue: one, ...counts });
  }
  return { queues, complete };
};

const handled = async (
  { clock, failedWork, mailEvents }: RedrivePorts,
  queue: FailedQueue,
  message: FailedMessage,
): Promise<'moved' | 'dropped' | 'left'> => {
  const { next }: FailedItem = failedItem(queue, message, clock.now());
  if (next.to === 'stay') return 'left';
  if (next.to === 'mails') await mailEvents.send(next.event);
  if (next.to === 'calls') await failedWork.storeAgain(message.body);
  await failedWork.remove(queue, message.receipt);
  return next.to === 'nobody' ? 'dropped' : 'moved';
};

const queuesOf = (queue: FailedQueue | undefined): readonly FailedQueue[] =>
  queue === undefined ? FAILED_QUEUES : [queue];
