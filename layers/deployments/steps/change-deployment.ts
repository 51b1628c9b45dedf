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
 * Makes a change that its owner has asked for, and that fits whatever else was changed meanwhile.
 *
 * @param together - what is written in the same transaction, or not at all; a function makes it anew for each attempt,
 *   of what it reads once the deployment is read
 * @returns undefined if the deployment is gone
 * @throws ApiRefusal conflict, stale; not_found once another owner has it
 */
export const changeDeployment = (
  ports: ChangeDeploymentPorts,
  before: Deployment,
  change: Change,
  revisions?: Revisions,
  together: Together = {},
): Promise<Deployment | undefined> =>
  changed(ports, before, change, { ownerId: before.ownerId, revisions, together });

/**
 * The same for operators and for what the service does by itself: whoever owns the deployment meanwhile.
 *
 * @throws ApiRefusal conflict
 */
export const changeOfService = (
  ports: ChangeDeploymentPorts,
  before: Deployment,
  change: Change,
): Promise<Deployment | undefined> => changed(ports, before, change, { together: {} });

type Together = Writes | (() => Promise<Writes>);

interface Terms {
  /** Whose change it is; absent: not its owner's. */
  readonly ownerId?: string;
  readonly revisions?: Revisions;
  readonly together: Together;
}

const changed = async (
  { clock, deploymentEditor }: ChangeDeploymentPorts,
  before: Deployment,
  change: Change,
  { ownerId, revisions, together }: Terms,
): Promise<Deployment | undefined> => {
  let current: Deployment | undefined = before;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    // The slug may be somebody else's by now; an id is never used again.
    if (current?.id !== before.id || current.status === 'removing') return undefined;
    // Nobody changes, or removes the credential of, what was transferred to somebody else meanwhile.
    if (ownerId !== undefined && current.ownerId !== ownerId) throw noDeployment();
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
