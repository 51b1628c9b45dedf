import type { Deployment } from '../../rules/deployment.ts';
import { checkRevision, type Revisions } from '../../rules/revision.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { Ports } from '../../../ports.ts';

export type ChangeDeploymentPorts = Pick<Ports, 'clock' | 'deploymentEditor'>;

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
    if ((await deploymentEditor.replace(current, next)) === 'replaced') return next;
    current = await deploymentEditor.read(before.slug);
  }
  throw new ApiRefusal('conflict', 'Somebody else keeps changing this deployment; try again.');
};
