import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Fault } from '../../domain/fault.ts';
import { type EpochSeconds, HOUR, MINUTE } from '../../domain/time.ts';
import type { PublicRequests, PublicVerdict } from '../../ports.ts';
import { endOf, publicRequestCounter } from './public-request-counter.ts';
import { remember } from './remember.ts';

/** Source: D15. */
const BLOCK_AT = 5;
const BLOCK_SECONDS = HOUR;
/** How long a block that was read is believed: it may be lifted. */
const BELIEVE_SECONDS = MINUTE;
/** A try fails only if the subject's window changes under it, so a second one is rare. */
const TRIES = 5;

/**
 * Counts requests of one subject over all instances. In the usual case that is one update: this
 * instance remembers in which window it last counted the subject, and so which update will do.
 *
 * @param limit - requests per minute
 */
export const dynamoPublicRequests = (
  dynamo: DynamoDBDocumentClient,
  TableName: string,
  limit: number,
): PublicRequests => {
  const counter = publicRequestCounter(dynamo, TableName);
  const lastWindow = new Map<string, number>();
  /** Blocked ones only: those merely over the limit are still counted, toward their block. */
  const blocks = new Map<string, { readonly until: EpochSeconds; readonly readAt: EpochSeconds }>();
  const remembered = (subject: string, now: EpochSeconds): EpochSeconds => {
    const { until, readAt } = blocks.get(subject) ?? { until: 0, readAt: 0 };
    return now < readAt + BELIEVE_SECONDS ? until : 0;
  };

  const refusedAsBlocked = (subject: string, until = 0, now: EpochSeconds) => {
    if (until <= now) return undefined;
    remember(blocks, subject, { until, readAt: now });
    return refused(until - now);
  };
  const readBlock = async (subject: string, now: EpochSeconds) =>
    refusedAsBlocked(subject, (await counter.read(subject))?.blockedUntil, now);

  const verdict = async (
    subject: string,
    count: number,
    window: number,
    now: EpochSeconds,
  ): Promise<PublicVerdict> => {
    if (count <= limit) return { allowed: true };
    if (count < BLOCK_AT * limit) return refused(endOf(window) - now);
    const until = now + BLOCK_SECONDS;
    const blockedNow = await counter.block(subject, now, until);
    if (blockedNow) remember(blocks, subject, { until, readAt: now });
    return refused(BLOCK_SECONDS, blockedNow);
  };

  return {
    count: async (subject, cost, now) => {
      const known = remembered(subject, now);
      if (now < known) return refused(known - now);
      const still = now < (blocks.get(subject)?.until ?? 0) && (await readBlock(subject, now));
      if (still) return still;

      let window = Math.floor(now / MINUTE);
      for (let tries = 0; tries < TRIES; tries += 1) {
        const { add, open } = counter;
        const [first, second] = lastWindow.get(subject) === window ? [add, open] : [open, add];
        const counting = { subject, cost, window, now };
        const count = (await first(counting)) ?? (await second(counting));
        if (count !== undefined) {
          remember(lastWindow, subject, window);
          return verdict(subject, count, window, now);
        }

        const item = await counter.read(subject);
        const blocked = refusedAsBlocked(subject, item?.blockedUntil, now);
        if (blocked) return blocked;
        // Another instance's clock is ahead of ours: we count where it counts.
        if (item && item.window > window) window = item.window;
      }
      throw new Fault('dynamodb', 'a public request could not be counted');
    },

    unblock: async (subject, now) => {
      blocks.delete(subject);
      return counter.unblock(subject, now);
    },

    blocked: (now) => counter.blocked(now),
  };
};

const refused = (seconds: number, blockedNow = false): PublicVerdict => ({
  allowed: false,
  retryAfterSeconds: Math.max(1, seconds),
  blockedNow,
});
