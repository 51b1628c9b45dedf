import { mayUse } from '../../domain/access/access-policy.ts';
import type { User } from '../../domain/accounts/user.ts';
import type { Deployment } from '../../domain/deployment.ts';
import type { AuthorizationRequest } from '../../domain/oauth/index.ts';
import type { Ports } from '../../ports.ts';
import { endedTicket } from './find-authorization.ts';
import { findLoginDeployment, takesLogins } from './find-login-deployment.ts';

export type DescribeConsentPorts = Pick<Ports, 'deployments'>;

/** What a user is asked to give access to. */
export type ConsentSubject =
  | { readonly kind: 'named'; readonly deployment: Deployment; readonly allowed: boolean }
  /** The user's own ones to choose from, beside any other by its name. */
  | { readonly kind: 'choice'; readonly own: readonly Deployment[] };

/**
 * The deployment that the client named, or those that its user may choose from.
 *
 * @throws PageRefusal ended_ticket if the deployment went away meanwhile
 *
 * Source: D12, D13.
 */
export const describeConsent = async (
  { deployments }: DescribeConsentPorts,
  { slug }: AuthorizationRequest,
  user: User,
): Promise<ConsentSubject> => {
  if (slug === undefined) {
    const own = await deployments.listByOwner(user.id);
    return { kind: 'choice', own: own.filter(takesLogins) };
  }
  const deployment = await findLoginDeployment({ deployments }, slug);
  if (!deployment) throw endedTicket('deployment no longer takes logins');
  const allowed = mayUse(deployment, { userId: user.id, email: user.email });
  return { kind: 'named', deployment, allowed };
};
