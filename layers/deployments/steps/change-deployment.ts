import type { Deployment } from '../rules/deployment.ts';
import { checkRevision, type Revisions } from '../rules/revision.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { DeploymentsPorts } from '../ports.ts';
import { noDeployment } from './owned-deployment.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';

export type ChangeDeploymentPorts = Pick<DeploymentsPorts, 'clock' | 'deploymentEditor'>;

type Change = (current: Deployment) => Deployment;
type Writes = Readonly<Record<string, Write>>;

const ATTEMPTS = 8;

/**
 * Makes a change that fits whatever else was changed meanwhile.
 *
 * @param together - what is written in the same transaction, or not at all; a function makes it anew for each attempt,
 *   of what it reads once the deployment is read
 * @returns undefined if the deployment is gone
 * @throws ApiRefusal conflict, stale; not_found once another owner has it
 */
export const changeDeployment = async (
  { clock, deploymentEditor }: ChangeDeploymentPorts,
  before: Deployment,
  change: Change,
  revisions?: Revisions,
  together: Writes | (() => Promise<Writes>) = {},
): Promise<Deployment | undefined> => {
  let current: Deployment | undefined = before;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // The slug may be somebody else's by now; an id is never used again.
    if (current?.id !== before.id || current.status === 'removing') return undefined;
    // Nobody changes, or removes the credential of, what was transferred to somebody else meanwhile.
    if (current.ownerId !== before.ownerId) throw noDeployment();
    checkRevision(current, revisions);
    const next: Deployment = {
      ...change(current),
      updatedAt: clock.now(),
      revision: current.revision + 1,
    };
    const made = typeof together === 'function' ? await together() : together;
    const outcome = await deploymentEditor.replace(current, next, { together: made });
    if (outcome === 'replaced') return next;
    current = await deploymentEditor.read(before.slug);
  }
  throw new ApiRefusal('conflict', 'Somebody else keeps changing this deployment; try again.');
};
