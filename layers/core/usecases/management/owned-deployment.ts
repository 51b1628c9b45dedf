import type { Deployment } from '../../domain/deployment.ts';
import { isSlug } from '../../domain/deployments/index.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';

export interface Owned {
  /** Absent where an operator asks, who may name any. */
  readonly ownerId?: string | undefined;
  readonly slug: string;
}

/**
 * An owner's own deployment. That of another owner looks like one that is not there.
 *
 * @throws ApiRefusal not_found
 *
 * Source: management-api.md.
 */
export const ownedDeployment = async (
  { deploymentEditor }: Pick<Ports, 'deploymentEditor'>,
  { ownerId, slug }: Owned,
): Promise<Deployment> => {
  const deployment = isSlug(slug) ? await deploymentEditor.read(slug) : undefined;
  if (deployment && (ownerId ?? deployment.ownerId) === deployment.ownerId) return deployment;
  throw noDeployment();
};

export const noDeployment = () =>
  new ApiRefusal('not_found', 'There is no deployment of this name.');
