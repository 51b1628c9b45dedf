import { RouterRefusal } from '../../platform/rules/refusal/router-refusal.ts';
import { isSlug } from '../../platform/rules/slug.ts';
import type { Ports } from '../../ports.ts';
import { offersLogin } from '../../servers/rules/auth-methods.ts';
import type { Deployment } from '../../servers/rules/deployment.ts';
import { findGood } from '../../servers/steps/current-deployment.ts';

/**
 * The deployment behind a slug, if it is served. What cannot be a slug never reaches the store;
 * unknown and paused look the same.
 *
 * @throws RouterRefusal not_found
 */
export const findDeployment = async (
  ports: Pick<Ports, 'deployments'>,
  slug: string,
): Promise<Deployment> => {
  if (!isSlug(slug)) throw notFound('not a slug');
  const deployment = await findGood(ports, slug, ({ status }) => status === 'active');
  if (!deployment) throw notFound('unknown slug');
  if (deployment.status !== 'active') throw notFound(`deployment is ${deployment.status}`);
  return deployment;
};

/**
 * Documents that lead to a login exist only for deployments that offer one.
 *
 * @throws RouterRefusal not_found
 *
 * Source: docs/decisions/oauth.md, "Metadata routes".
 */
export const checkOffersLogin = ({ authMethod }: Deployment): void => {
  if (!offersLogin(authMethod)) throw notFound(`mode is ${authMethod}`);
};

const notFound = (why: string) =>
  new RouterRefusal('not_found', 'There is nothing at this address.', {}, why);
