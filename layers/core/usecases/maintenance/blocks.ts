import { addressSubject } from '../../domain/access/subject.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { BlockedSubject, Ports } from '../../ports.ts';

export type BlockPorts = Pick<Ports, 'clock' | 'events' | 'publicRequestBlocks' | 'timeLeft'>;

/** Whom limits count is an address as it stands in events: an IPv4 address or the /64 of an IPv6 one. */
const SUBJECT = /^[0-9a-f.:]+(?:\/64)?$/;

export interface ListedBlocks {
  readonly blocked: readonly BlockedSubject[];
  /** Where the list goes on; absent at its end. */
  readonly next?: string;
}

const PAGE = 1000;
/** An answer of a function has its size. */
const MAX_LISTED = 1000;
const LEAST_MS = 5000;

/**
 * Who is blocked now, and until when: as many as one answer holds, and as are found in the time that is left.
 *
 * @param after - the `next` of the answer before
 *
 * Source: docs/decisions.md, "Public deployments".
 */
export const listBlocks = async (
  { clock, publicRequestBlocks, timeLeft }: BlockPorts,
  after?: string,
): Promise<ListedBlocks> => {
  const blocked: BlockedSubject[] = [];
  let next = after;
  do {
    const page = await publicRequestBlocks.page({ limit: PAGE, after: next }, clock.now());
    blocked.push(...page.items);
    ({ next } = page);
  } while (next !== undefined && blocked.length < MAX_LISTED && timeLeft.ms() > LEAST_MS);
  return { blocked, ...(next !== undefined && { next }) };
};

/**
 * Ends the block of an address before its time, and begins its count anew. Instances that know of the
 * block let it go within a minute.
 *
 * @param address - in any spelling, or as events name it
 * @param slug - of the deployment where it is blocked; wherever it is if undefined
 * @returns false if it was not blocked
 * @throws ApiRefusal invalid_request
 *
 * Source: docs/decisions.md, "Public deployments".
 */
export const liftBlock = async (
  {
    clock,
    events,
    publicRequestBlocks,
  }: Pick<BlockPorts, 'clock' | 'events' | 'publicRequestBlocks'>,
  address: string,
  slug?: string,
): Promise<boolean> => {
  const subject = addressSubject(address);
  if (!SUBJECT.test(subject)) {
    throw new ApiRefusal('invalid_request', 'This is no address.', [
      {
        where: '/subject',
        what: 'no address',
        hint: 'Send an IP address, or the subject of the event.',
      },
    ]);
  }
  const lifted = await publicRequestBlocks.unblock(subject, slug, clock.now());
  if (lifted) {
    const where = slug === undefined ? {} : { slug };
    events.record({ type: 'security', event: 'ip_unblocked', ...where, subject, why: 'operator' });
  }
  await events.flush();
  return lifted;
};
