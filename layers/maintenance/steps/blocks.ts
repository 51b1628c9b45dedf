import type { CredentialsPorts } from '../../credentials/ports.ts';
import { addressSubject } from '../../platform/rules/subject.ts';
import { doneBy } from '../../accounts/rules/operator.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { BlockedSubject } from '../../limits/rules/decisions.ts';

export type BlockPorts = Pick<
  CredentialsPorts,
  'clock' | 'events' | 'publicRequestBlocks' | 'timeLeft'
>;

/** Whom limits count is an address as it stands in events: an IPv4 address or the /64 of an IPv6 one. */
const SUBJECT = /^[0-9a-f.:]+(?:\/64)?$/;

export interface ListedBlocks {
  readonly blocked: readonly BlockedSubject[];
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
 * Source: docs/decisions/limits.md, "Public deployments".
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

export interface FoundBlocks {
  /** Whom limits count: an IPv4 address, or the /64 of an IPv6 one. */
  readonly subject: string;
  readonly blocked: readonly BlockedSubject[];
}

/**
 * Where one address is blocked now, and until when.
 *
 * @param address - in any spelling, or as events name it
 * @throws ApiRefusal invalid_request
 */
export const findBlocks = async (
  { clock, publicRequestBlocks }: Pick<BlockPorts, 'clock' | 'publicRequestBlocks'>,
  address: string,
): Promise<FoundBlocks> => {
  const subject = subjectOf(address);
  return { subject, blocked: await publicRequestBlocks.find(subject, clock.now()) };
};

/**
 * Ends the block of an address before its time, and begins its count anew. Instances that know of the
 * block let it go within a minute.
 *
 * @param address - in any spelling, or as events name it
 * @param slug - of the deployment where it is blocked; wherever it is if undefined
 * @param operatorId - of the account of an operator, if one does it at the console
 * @returns false if it was not blocked
 * @throws ApiRefusal invalid_request
 *
 * Source: docs/decisions/limits.md, "Public deployments".
 */
export const liftBlock = async (
  {
    clock,
    events,
    publicRequestBlocks,
  }: Pick<BlockPorts, 'clock' | 'events' | 'publicRequestBlocks'>,
  address: string,
  slug?: string,
  operatorId?: string,
): Promise<boolean> => {
  const subject = subjectOf(address);
  const lifted = await publicRequestBlocks.unblock(subject, slug, clock.now());
  if (lifted) {
    const where = slug === undefined ? {} : { slug };
    const event = 'ip_unblocked';
    events.record({ type: 'security', event, ...where, subject, ...doneBy(operatorId) });
  }
  return lifted;
};

const subjectOf = (address: string): string => {
  const subject = addressSubject(address);
  if (SUBJECT.test(subject)) return subject;
  throw new ApiRefusal('invalid_request', 'This is no address.', {
    where: '/subject',
    what: 'no address',
    hint: 'Send an IP address, or the subject of the event.',
  });
};
