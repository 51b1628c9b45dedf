import type { User } from '../../accounts/rules/user.ts';
import { isSlug } from '../../platform/rules/addresses.ts';
import type { DeploymentsPorts } from '../../deployments/ports.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { checkUnmanaged } from '../../deployments/rules/manager.ts';

/**
 * Refuses changes to a deployment that a declaration manages. Other users' deployments look absent.
 * @param override - `true`: the owner wants this change nevertheless
 * @returns the deployment before the change, if it was read
 * @throws ApiRefusal managed. Source: docs/declarations.md, "Who manages a server".
 */
export const checkManaged = async (
  { deploymentEditor }: Pick<DeploymentsPorts, 'deploymentEditor'>,
  { id }: User,
  slug: string,
  override: string | undefined,
): Promise<Deployment | undefined> => {
  if (override === 'true' || !isSlug(slug)) return undefined;
  const deployment = await deploymentEditor.read(slug);
  if (deployment?.ownerId === id) checkUnmanaged(deployment);
  return deployment;
};
