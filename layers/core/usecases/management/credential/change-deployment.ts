import type { Deployment } from '../../../domain/deployment.ts';
import { ApiRefusal } from '../../../domain/refusal.ts';
import type { Ports } from '../../../ports.ts';

export type ChangeDeploymentPorts = Pick<Ports, 'clock' | 'deploymentEditor'>;

/** The revisions that a change may be made to; without it: whichever there is. */
export type Revisions = readonly number[] | undefined;

type Change = (current: Deployment) => Deployment;

const ATTEMPTS = 8;

/**
 * Makes a change that fits whatever else was changed meanwhile.
 *
 * @returns undefined if the deployment is gone
 * @throws ApiRefusal conflict, stale
 */
export const changeDeployment = async (
  { clock, deploymentEditor }: ChangeDeploymentPorts,
  before: Deployment,
  change: Change,
  revisions?: Revisions,
): Promise<Deployment | undefined> => {
  let current: Deployment | undefined = before;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // The slug may be somebody else's by now; an id is never used again.
    if (current?.id !== before.id || current.status === 'removing') return undefined;
    checkRevision(current, revisions);
    const next: Deployment = {
      ...change(current),
      updatedAt: clock.now(),
      revision: current.revision + 1,
    };
    if (await deploymentEditor.replace(next)) return next;
    current = await deploymentEditor.read(before.slug);
  }
  throw new ApiRefusal('conflict', 'Somebody else keeps changing this deployment; try again.');
};

/** @throws ApiRefusal stale. Source: D41; RFC 9110 §13.1.1. */
export const checkRevision = ({ revision }: Deployment, revisions: Revisions): void => {
  if (!revisions || revisions.includes(revision)) return;
  throw new ApiRefusal('stale', 'The deployment was changed meanwhile: read it again.');
};
