import type { CredentialRefusals } from '../../../activity/rules/credential-refusals.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { Page, PageQuery } from '../../../platform/rules/paging.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { Refreshed } from '../../../deployments/rules/versions.ts';
import { refusedCredentials } from '../credential/credential-refusals.ts';
import {
  listDeployments,
  type Owned,
  ownedDeployment,
} from '../../../deployments/steps/owned-deployment.ts';
import { warningsOf } from '../descriptions/warnings-of.ts';
import type { PortsOf } from '../../../platform/ports.ts';

export interface DescribedDeployment {
  readonly deployment: Deployment;
  readonly warnings: readonly Finding[];
  readonly refusals: CredentialRefusals | undefined;
  readonly refreshed: Refreshed | undefined;
}

/** @throws ApiRefusal not_found */
export const describeDeployment = async (
  ports: PortsOf<typeof refusedCredentials> &
    Pick<DeploymentsPorts, 'deploymentEditor' | 'refreshes' | 'toolIndexes' | 'versions'>,
  owned: Owned,
): Promise<DescribedDeployment> => {
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
): Promise<Page<Pick<DescribedDeployment, 'deployment' | 'refusals'>>> => {
  const { items, ...rest } = await listDeployments(ports, ownerId, query);
  const refused = await refusedCredentials(ports, items);
  return {
    items: items.map((deployment) => ({ deployment, refusals: refused.get(deployment.id) })),
    ...rest,
  };
};
