import type { CredentialsPorts } from '../../credentials/ports.ts';
import { addressSubject } from '../../platform/rules/subject.ts';
import { doneBy } from '../../accounts/rules/operator.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { BlockedSubject } from '../../limits/rules/decisions.ts';

export type BlockPorts = Pick<
  CredentialsPorts,
  'clock' | 'events' | 'publicRequestBlocks' | 'timeLeft'
>;

/** Subject of rate limits: an IPv4 address or the /64 of an IPv6 one. */
const SUBJECT = /^[0-9a-f.:]+(?:\/64)?$/;

const PAGE = 1000;
/** Keeps the answer below Lambda's size limit. */
const MAX_LISTED = 1000;
const LEAST_MS = 5000;

/**
 * Currently blocked addresses, as many as fit into one answer and the remaining time.
 * @param after - `next` of the previous answer
 * Source: docs/decisions/limits.md, "Public deployments".
 */
export const listBlocks = async (
  { clock, publicRequestBlocks, timeLeft }: BlockPorts,
  after?: string,
): Promise<{ readonly blocked: readonly BlockedSubject[]; readonly next?: string }> => {
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
 * Current blocks of one address.
 * @param address - in any notation, or as in events
 * @throws ApiRefusal invalid_request
 */
export const findBlocks = async (
  { clock, publicRequestBlocks }: Pick<BlockPorts, 'clock' | 'publicRequestBlocks'>,
  address: string,
): Promise<{ readonly subject: string; readonly blocked: readonly BlockedSubject[] }> => {
  const subject = subjectOf(address);
  return { subject, blocked: await publicRequestBlocks.find(subject, clock.now()) };
};

/**
 * Lifts the block of an address and resets its count. Instances that cache the block let the address in within a
 * minute.
 * @param address - in any notation, or as in events
 * @param slug - deployment where it is blocked; undefined: everywhere
 * @param operatorId - account id of an operator acting in the console
 * @returns false if it was not blocked
 * @throws ApiRefusal invalid_request
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
