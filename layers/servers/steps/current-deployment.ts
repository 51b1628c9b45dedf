import { InvalidToken } from '../../tokens/rules/invalid-token.ts';
import type { Deployment } from '../rules/deployment.ts';
import { RouterRefusal } from '../../platform/rules/refusal/router-refusal.ts';
import type { Ports } from '../../ports.ts';

type Found = Deployment | undefined;

/**
 * A deployment as it is remembered, if it is good; or else as it is now: nothing is refused for what was
 * true a while ago.
 *
 * Source: docs/decisions/storage.md, "How soon a change holds".
 */
export const findGood = async (
  { deployments }: Pick<Ports, 'deployments'>,
  slug: string,
  isGood: (deployment: Deployment) => boolean,
): Promise<Found> => {
  const remembered = await deployments.find(slug);
  return remembered && isGood(remembered) ? remembered : deployments.findAgain(slug);
};

/**
 * Does something on a deployment as it is remembered, and where that is refused once more as it is now.
 * What is done must have no effect when it is refused.
 *
 * @throws InvalidToken, RouterRefusal
 */
export const onCurrent = async <Done>(
  { deployments }: Pick<Ports, 'deployments'>,
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
