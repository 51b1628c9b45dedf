import { HOUR } from '../../domain/time.ts';
import type { Ports, RemovedDeployment, VersionFile } from '../../ports.ts';
import {
  finishRemoval,
  removeContents,
  type RemoveDeploymentPorts,
} from './deployments/remove-deployment.ts';

export type SweepPorts = RemoveDeploymentPorts & Pick<Ports, 'log'>;

/** What was removed, each counted. */
export interface Swept {
  /** Deployments whose removal broke off. */
  readonly deployments: number;
  /** Removed deployments under whose ids nothing is left by now. */
  readonly removals: number;
  readonly files: number;
}

/** Younger things may belong to a request that is still under way, on whichever clock. */
const SAFE_SECONDS = HOUR;

/** The versions that a deployment can return to, by its id. */
type Histories = ReadonlyMap<string, readonly number[]>;

/**
 * Removes what no transaction covers: what a removal that broke off has left, what another request has
 * stored for a deployment after its removal, and files of versions that never came to be served or cannot
 * be returned to any more. May be repeated, and run beside everything.
 */
export const sweep = async (ports: SweepPorts): Promise<Swept> => {
  const { deploymentEditor, log, versions } = ports;
  // Before the deployments: whatever of it is in use by then, they say.
  const removed = await Array.fromAsync(deploymentEditor.removed());
  const files = await versions.files();
  const { histories, finished } = await sweepDeployments(ports);

  const swept = {
    deployments: finished,
    removals: await sweepRemoved(ports, removed, histories),
    files: await sweepFiles(ports, files, histories),
  };
  // Whoever schedules it sees no answer.
  log.write({ message: 'swept', ...swept });
  return swept;
};

const sweepDeployments = async (ports: SweepPorts) => {
  const { clock, deploymentEditor } = ports;
  const histories = new Map<string, readonly number[]>();
  let finished = 0;
  for await (const deployment of deploymentEditor.all()) {
    histories.set(deployment.id, deployment.history);
    const { status, updatedAt } = deployment;
    if (status !== 'removing' || clock.now() < updatedAt + SAFE_SECONDS) continue;
    await finishRemoval(ports, deployment);
    finished += 1;
  }
  return { histories, finished };
};

const sweepRemoved = async (
  ports: SweepPorts,
  removed: readonly RemovedDeployment[],
  histories: Histories,
): Promise<number> => {
  const { clock, deploymentEditor } = ports;
  const due = removed.filter(({ removedAt }) => clock.now() >= removedAt + SAFE_SECONDS);
  for (const { deploymentId } of due) {
    // The request that made it may have been repeated after its removal, and made it again.
    if (!histories.has(deploymentId)) await removeContents(ports, deploymentId);
    await deploymentEditor.forgetRemoved(deploymentId);
  }
  return due.length;
};

const sweepFiles = async (
  { clock, versions }: SweepPorts,
  files: readonly VersionFile[],
  histories: Histories,
): Promise<number> => {
  const orphans = files.filter(
    ({ deploymentId, version, createdAt }) =>
      !histories.get(deploymentId)?.includes(version) && clock.now() >= createdAt + SAFE_SECONDS,
  );
  for (const { key } of orphans) await versions.removeFile(key);
  return orphans.length;
};
