import type { Deployment } from '../rules/deployment.ts';
import { isSlug } from '../../platform/rules/addresses.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { DeploymentsPorts } from '../ports.ts';

export interface Owned {
  /** Absent for operators, who may name any deployment. */
  readonly ownerId?: string | undefined;
  readonly slug: string;
}

/**
 * A deployment of another owner looks as if it did not exist.
 *
 * @throws ApiRefusal not_found
 * Source: docs/decisions/management.md, "Ownership".
 */
export const ownedDeployment = async (
  ports: Pick<DeploymentsPorts, 'deploymentEditor'>,
  owned: Owned,
): Promise<Deployment> => {
  const deployment = await findOwned(ports, owned);
  if (!deployment || deployment.status === 'removing') throw noDeployment();
  return deployment;
};

/** Finds deployments that are being removed as well. */
export const findOwned = async (
  { deploymentEditor }: Pick<DeploymentsPorts, 'deploymentEditor'>,
  { ownerId, slug }: Owned,
): Promise<Deployment | undefined> => {
  const deployment = isSlug(slug) ? await deploymentEditor.read(slug) : undefined;
  return deployment && (ownerId ?? deployment.ownerId) === deployment.ownerId
    ? deployment
    : undefined;
};

/** The deployment as if it served that version of its `history`; itself if undefined. @throws ApiRefusal not_found */
export const inVersion = (deployment: Deployment, version: number | undefined): Deployment => {
  if (version === undefined || version === deployment.version) return deployment;
  if (deployment.history.includes(version)) return { ...deployment, version };
  throw new ApiRefusal('not_found', 'The deployment has no such version.');
};

export const noDeployment = () =>
  new ApiRefusal('not_found', 'There is no deployment of this name.');

/** Owners cannot resume what an operator has stopped. */
export const stopped = () =>
  new ApiRefusal(
    'conflict',
    'The operator of this service has stopped the deployment. Ask them to release it.',
  );

export const tooManyActive = (limit: number) =>
  new ApiRefusal(
    'limit_reached',
    `You have ${limit} active deployments, as many as your plan allows. Pause or remove one first.`,
    [],
    'active deployments',
    { limit: 'active_deployments_per_user' },
  );

/** Newest first. */
export const listDeployments = async (
  { deploymentEditor }: Pick<DeploymentsPorts, 'deploymentEditor'>,
  ownerId: string,
  query: PageQuery,
): Promise<Page<Deployment>> => {
  const { items, ...rest } = await deploymentEditor.listByOwner(ownerId, query);
  return { items: items.filter(({ status }) => status !== 'removing'), ...rest };
};
