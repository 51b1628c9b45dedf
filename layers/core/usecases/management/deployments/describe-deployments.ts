import type { Deployment } from '../../../domain/deployments/deployment.ts';
import type { Finding } from '../../../domain/refusal.ts';
import type { Page, PageQuery, Ports } from '../../../ports.ts';
import { type Owned, ownedDeployment } from './owned-deployment.ts';
import { warningsOf } from '../descriptions/warnings-of.ts';

/** @throws ApiRefusal not_found */
export const describeDeployment = async (
  ports: Pick<Ports, 'deploymentEditor' | 'toolIndexes' | 'versions'>,
  owned: Owned,
): Promise<{ readonly deployment: Deployment; readonly warnings: readonly Finding[] }> => {
  const deployment = await ownedDeployment(ports, owned);
  return { deployment, warnings: await warningsOf(ports, deployment) };
};

/** An owner's, the newest first. */
export const listDeployments = async (
  { deploymentEditor }: Pick<Ports, 'deploymentEditor'>,
  ownerId: string,
  query: PageQuery,
): Promise<Page<Deployment>> => {
  const { items, ...rest } = await deploymentEditor.listByOwner(ownerId, query);
  return { items: items.filter(({ status }) => status !== 'removing'), ...rest };
};
