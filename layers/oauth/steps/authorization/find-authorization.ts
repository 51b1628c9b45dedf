import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { AuthorizationRequest } from '../../../tokens/rules/oauth-records.ts';
import { PageRefusal } from '../../../platform/rules/refusal/page-refusal.ts';
import type { Ports } from '../../../ports.ts';

/**
 * The authorization request behind a ticket that nobody has answered yet.
 *
 * @throws PageRefusal ended_ticket
 *
 * Source: docs/decisions/oauth.md, "Authorization requests".
 */
export const findAuthorization = async (
  { authorizationRequests, clock }: Pick<Ports, 'authorizationRequests' | 'clock'>,
  ticket: string,
): Promise<AuthorizationRequest> => {
  const request = await authorizationRequests.find(fingerprint(ticket));
  if (!request) throw endedTicket('unknown ticket, or answered before');
  if (clock.now() >= request.expiresAt) throw endedTicket('ticket expired');
  return request;
};

export const endedTicket = (why: string): PageRefusal =>
  new PageRefusal(
    'ended_ticket',
    'This request to connect was answered already, or it is older than ten minutes.',
    why,
  );
