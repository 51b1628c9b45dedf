import { mayUse } from '../../../deployments/rules/access/access-policy.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { AuthorizationRequest } from '../../../tokens/rules/oauth-records.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { endedTicket } from './find-authorization.ts';
import { findLoginDeployment, takesLogins } from './find-login-deployment.ts';

export type ConsentSubject =
  | { readonly kind: 'named'; readonly deployment: Deployment; readonly allowed: boolean }
  /** The user's own deployments; any other can be named. */
  | { readonly kind: 'choice'; readonly own: readonly Deployment[] };

/**
 * The deployment that the client named, or those that the user may choose from.
 * @throws PageRefusal ended_ticket if the deployment was removed meanwhile
 * Source: docs/decisions/oauth.md, "One resource, three names"; docs/decisions/accounts.md, "Who may use a deployment".
 */
export const describeConsent = async (
  { deployments }: Pick<DeploymentsPorts, 'deployments'>,
  { slug }: AuthorizationRequest,
  user: User,
): Promise<ConsentSubject> => {
  if (slug === undefined) {
    const own = await deployments.listByOwner(user.id);
    return { kind: 'choice', own: own.filter(takesLogins) };
  }
  const opens = (one: Deployment) => mayUse(one, { userId: user.id, email: user.email });
  const deployment = await findLoginDeployment({ deployments }, slug, opens);
  if (!deployment) throw endedTicket('deployment no longer takes logins');
  return { kind: 'named', deployment, allowed: opens(deployment) };
};
