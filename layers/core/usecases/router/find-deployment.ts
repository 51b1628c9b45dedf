import type { Deployment } from '../../domain/deployment.ts';
import { isSlug } from '../../domain/deployments/index.ts';
import { RouterRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';

/**
 * The deployment behind a slug, if it is served. What cannot be a slug never reaches the store;
 * unknown and paused look the same.
 *
 * @throws RouterRefusal not_found
 */
export const findDeployment = async (
  { deployments }: Pick<Ports, 'deployments'>,
  slug: string,
): Promise<Deployment> => {
  if (!isSlug(slug)) throw notFound('not a slug');
  const deployment = await deployments.find(slug);
  if (!deployment) throw notFound('unknown slug');
  if (deployment.status !== 'active') throw notFound(`deployment is ${deployment.status}`);
  return deployment;
};

/**
 * Documents that lead to a login exist for `oauth` deployments only.
 *
 * @throws RouterRefusal not_found
 *
 * Source: D2.
 */
export const checkOffersLogin = ({ authMethod }: Deployment): void => {
  if (authMethod !== 'oauth') throw notFound(`mode is ${authMethod}`);
};

const notFound = (why: string) =>
  new RouterRefusal('not_found', 'There is nothing at this address.', {}, why);
