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
 * Applies an owner's change to the current deployment, and again after a concurrent change.
 *
 * @param together - further writes of the transaction; a function is called for each attempt, after the deployment was
 *   read
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

/** A change by an operator or the service itself, whoever owns the deployment by now. @throws ApiRefusal conflict */
export const changeOfService = (
  ports: ChangeDeploymentPorts,
  before: Deployment,
  change: Change,
): Promise<Deployment | undefined> => changed(ports, before, change, { together: {} });

type Together = Writes | (() => Promise<Writes>);

interface Terms {
  /** Owner who asked for the change; absent: an operator or the service. */
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
    // The slug may belong to another deployment by now; ids are never reused.
    if (current?.id !== before.id || current.status === 'removing') return undefined;
    // A former owner must not change a deployment that was transferred meanwhile.
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
