import { InvalidToken } from '../../tokens/rules/authorization.ts';
import type { Deployment } from '../rules/deployment.ts';
import { RouterRefusal } from '../../platform/rules/refusal/router-refusal.ts';
import type { DeploymentsPorts } from '../ports.ts';
import { isSlug } from '../../platform/rules/addresses.ts';
import { offersLogin } from '../rules/auth-methods.ts';

type Found = Deployment | undefined;

/**
 * Looks into the table before a stale cache entry can refuse anything.
 * Source: docs/decisions/storage.md, "When a change takes effect".
 */
export const findGood = async (
  { deployments }: Pick<DeploymentsPorts, 'deployments'>,
  slug: string,
  isGood: (deployment: Deployment) => boolean,
): Promise<Found> => {
  const remembered = await deployments.find(slug);
  return remembered && isGood(remembered) ? remembered : deployments.findAgain(slug);
};

/**
 * Acts on a cached deployment and, if that is refused, on the current one. A refused act must have no effect.
 *
 * @throws InvalidToken, RouterRefusal
 */
export const onCurrent = async <Done>(
  { deployments }: Pick<DeploymentsPorts, 'deployments'>,
  remembered: Deployment,
  act: (deployment: Deployment) => Done | Promise<Done>,
): Promise<{ readonly deployment: Deployment; readonly done: Done }> => {
  try {
    return { deployment: remembered, done: await act(remembered) };
  } catch (error) {
    if (!(error instanceof InvalidToken || error instanceof RouterRefusal)) throw error;
    const deployment = await deployments.findAgain(remembered.slug);
    if (deployment?.status !== 'active' || isUnchanged(deployment, remembered)) throw error;
    return { deployment, done: await act(deployment) };
  }
};

const isUnchanged = (one: Deployment, other: Deployment): boolean =>
  one.id === other.id && one.revision === other.revision;

/**
 * Unknown and paused deployments are refused alike; invalid slugs are not looked up.
 *
 * @throws RouterRefusal not_found
 */
export const findDeployment = async (
  ports: Pick<DeploymentsPorts, 'deployments'>,
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
 * Source: docs/decisions/oauth.md, "Metadata routes".
 */
export const checkOffersLogin = ({ authMethod }: Deployment): void => {
  if (!offersLogin(authMethod)) throw notFound(`mode is ${authMethod}`);
};

const notFound = (why: string) =>
  new RouterRefusal('not_found', 'There is nothing at this address.', {}, why);
