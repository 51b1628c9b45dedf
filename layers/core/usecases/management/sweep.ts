import type { Deployment } from '../../domain/deployment.ts';
import { HOUR } from '../../domain/time.ts';
import type { Ports } from '../../ports.ts';
import { keepPlace, mendReservation, type OwnedSlugsPorts } from './owned-slugs.ts';
import { finishRemoval, removeContents, type RemoveDeploymentPorts } from './remove-deployment.ts';

export type SweepPorts = OwnedSlugsPorts & RemoveDeploymentPorts & Pick<Ports, 'log'>;

/** What was removed, each counted. */
export interface Swept {
  readonly removals: number;
  readonly deployments: number;
  readonly reservations: number;
  readonly versions: number;
}

/** Younger things may belong to a request that is still under way, on whichever clock. */
const SAFE_SECONDS = HOUR;

/**
 * Removes what crashes have left: deployments whose removal broke off, slugs
 * reserved for deployments that never came with all that was stored for them, versions that were never
 * served, and whatever came after a deployment was removed. May be repeated, and run beside everything.
 */
export const sweep = async (ports: SweepPorts): Promise<Swept> => {
  const swept = {
    removals: await sweepRemovals(ports),
    ...(await sweepDeployments(ports)),
    reservations: await sweepReservations(ports),
  };
  // Whoever schedules it sees no answer.
  ports.log.write({ message: 'swept', ...swept });
  return swept;
};

const sweepRemovals = async (ports: SweepPorts): Promise<number> => {
  const { clock, deploymentEditor, removals } = ports;
  let count = 0;
  for await (const { deploymentId, slug, since } of removals.all()) {
    if (clock.now() < since + SAFE_SECONDS) continue;
    // A try that looked broken off may have come to its end all the same.
    const there = await deploymentEditor.read(slug);
    if (there?.id !== deploymentId) await removeContents(ports, deploymentId);
    await removals.forget(deploymentId);
    count += 1;
  }
  return count;
};

const sweepDeployments = async (ports: SweepPorts) => {
  const { clock, deploymentEditor } = ports;
  let [deployments, versions] = [0, 0];
  for await (const deployment of deploymentEditor.all()) {
    const { status, updatedAt } = deployment;
    if (status !== 'removing') {
      versions += await sweepVersions(ports, deployment);
      if (status === 'active') await keepPlace(ports, deployment);
    } else if (clock.now() >= updatedAt + SAFE_SECONDS) {
      await finishRemoval(ports, deployment);
      deployments += 1;
    }
  }
  return { deployments, versions };
};

const sweepVersions = async (
  { clock, deploymentEditor, versions }: SweepPorts,
  { id, slug }: Deployment,
): Promise<number> => {
  const parts = await versions.stored(id);
  // Read after the parts: what is served by now was stored by then.
  const current = await deploymentEditor.read(slug);
  if (current?.id !== id) return 0;
  const orphans = parts.filter(
    ({ version, since }) =>
      !current.history.includes(version) && clock.now() >= since + SAFE_SECONDS,
  );
  for (const { version } of orphans) await versions.remove(id, version);
  return orphans.length;
};

const sweepReservations = async (ports: SweepPorts): Promise<number> => {
  let count = 0;
  for await (const reservation of ports.ownedSlugs.all()) {
    if (await mendReservation(ports, reservation)) count += 1;
  }
  return count;
};
