import { addressSubject } from '../../domain/access/subject.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { BlockedSubject, Ports } from '../../ports.ts';

export type BlockPorts = Pick<Ports, 'clock' | 'events' | 'publicRequests'>;

/** Whom limits count is an address as it stands in events: an IPv4 address or the /64 of an IPv6 one. */
const SUBJECT = /^[0-9a-f.:]+(?:\/64)?$/;

/** Who is blocked now, and until when. Source: docs/decisions.md, "Public deployments". */
export const listBlocks = (ports: BlockPorts): Promise<readonly BlockedSubject[]> =>
  ports.publicRequests.blocked(ports.clock.now());

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
  { clock, events, publicRequests }: BlockPorts,
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
  const lifted = await publicRequests.unblock(subject, slug, clock.now());
  if (lifted) {
    const where = slug === undefined ? {} : { slug };
    events.record({ type: 'security', event: 'ip_unblocked', ...where, subject, why: 'operator' });
  }
  await events.flush();
  return lifted;
};
