import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { AuthorizationRequest } from '../../../tokens/rules/oauth-records.ts';
import { PageRefusal } from '../../../platform/rules/refusal/page-refusal.ts';
import type { FoundRequest } from '../../store/authorization-requests.ts';
import type { OauthPorts } from '../../ports.ts';

/**
 * The authorization request of a ticket that is not answered yet.
 * @throws PageRefusal ended_ticket. Source: docs/decisions/oauth.md, "Authorization requests".
 */
export const findAuthorization = async (
  ports: FindAuthorizationPorts,
  ticket: string,
): Promise<AuthorizationRequest> => {
  const { request, isAnswered } = await findAnswerable(ports, ticket);
  if (isAnswered) throw endedTicket('answered before');
  return request;
};

type FindAuthorizationPorts = Pick<OauthPorts, 'authorizationRequests' | 'clock'>;

/** Finds answered requests, too, since an answer may be repeated. @throws PageRefusal ended_ticket */
export const findAnswerable = async (
  { authorizationRequests, clock }: FindAuthorizationPorts,
  ticket: string,
): Promise<FoundRequest> => {
  const found = await authorizationRequests.find(fingerprint(ticket));
  if (!found) throw endedTicket('unknown ticket');
  if (clock.now() >= found.request.expiresAt) throw endedTicket('ticket expired');
  return found;
};

export const endedTicket = (why: string): PageRefusal =>
  new PageRefusal(
    'ended_ticket',
    'This request to connect was answered already, or it is older than ten minutes.',
    why,
  );

/** @throws Fault if the store is down */
export const isOpenTicket = async (
  ports: FindAuthorizationPorts,
  ticket: string,
): Promise<boolean> => {
  try {
    await findAnswerable(ports, ticket);
    return true;
  } catch (error) {
    if (error instanceof PageRefusal) return false;
    throw error;
  }
};
