import { offersLogin } from '../../../deployments/rules/auth-methods.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { isSlug } from '../../../platform/rules/addresses.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { findGood } from '../../../deployments/steps/current-deployment.ts';

/** Whether tokens are issued for a deployment. */
export const takesLogins = ({ status, authMethod }: Deployment): boolean =>
  status === 'active' && offersLogin(authMethod);

/**
 * The deployment of a slug, if tokens are issued for it.
 * @param isGood - checks of the caller: a cached deployment that fails them is read again
 */
export const findLoginDeployment = async (
  ports: Pick<DeploymentsPorts, 'deployments'>,
  slug: string,
  isGood: (deployment: Deployment) => boolean = () => true,
): Promise<Deployment | undefined> => {
  if (!isSlug(slug)) return undefined;
  const deployment = await findGood(ports, slug, (one) => takesLogins(one) && isGood(one));
  return deployment && takesLogins(deployment) ? deployment : undefined;
};
