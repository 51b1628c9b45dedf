import type { PageQuery } from '../../../platform/rules/paging.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { refusedCredentials } from '../credential/credential-refusals.ts';
import {
  listDeployments,
  type Owned,
  ownedDeployment,
} from '../../../deployments/steps/owned-deployment.ts';
import { warningsOf } from '../descriptions/warnings-of.ts';
import type { PortsOf } from '../../../platform/ports.ts';

/** @throws ApiRefusal not_found */
export const describeDeployment = async (
  ports: PortsOf<typeof refusedCredentials> &
    Pick<DeploymentsPorts, 'deploymentEditor' | 'refreshes' | 'toolIndexes' | 'versions'>,
  owned: Owned,
) => {
  const deployment = await ownedDeployment(ports, owned);
  const { id, refresh } = deployment;
  const [warnings, refused, refreshed] = await Promise.all([
    warningsOf(ports, deployment),
    refusedCredentials(ports, [deployment]),
    refresh === 'off' ? undefined : ports.refreshes.find(id),
  ]);
  return { deployment, warnings, refusals: refused.get(id), refreshed };
};

export const describeDeployments = async (
  ports: PortsOf<typeof refusedCredentials> & Pick<DeploymentsPorts, 'deploymentEditor'>,
  ownerId: string,
  query: PageQuery,
) => {
  const { items, ...rest } = await listDeployments(ports, ownerId, query);
  const refused = await refusedCredentials(ports, items);
  return {
    items: items.map((deployment) => ({ deployment, refusals: refused.get(deployment.id) })),
    ...rest,
  };
};
