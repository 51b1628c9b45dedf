import type { Deployment } from '../../domain/deployment.ts';
import { isSlug } from '../../domain/deployments/index.ts';
import type { Ports } from '../../ports.ts';

/** Whether tokens are issued for a deployment: it is served, in mode `oauth`. Source: D2, D12. */
export const takesLogins = ({ status, authMethod }: Deployment): boolean =>
  status === 'active' && authMethod === 'oauth';

/** The deployment behind a slug, if tokens are issued for it. What cannot be a slug never reaches the store. */
export const findLoginDeployment = async (
  { deployments }: Pick<Ports, 'deployments'>,
  slug: string,
): Promise<Deployment | undefined> => {
  const deployment = isSlug(slug) ? await deployments.find(slug) : undefined;
  return deployment && takesLogins(deployment) ? deployment : undefined;
};
