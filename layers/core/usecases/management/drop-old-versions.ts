import type { Deployment } from '../../domain/deployment.ts';
import type { Ports } from '../../ports.ts';

/**
 * Removes versions that cannot be returned to any more. They have not been served for long, so no
 * router still reads them; what a crash leaves of them is for the sweep.
 */
export const dropOldVersions = async (
  { versions }: Pick<Ports, 'versions'>,
  before: Deployment,
  after: Deployment,
): Promise<void> => {
  const gone = before.history.filter((version) => !after.history.includes(version));
  for (const version of gone) await versions.remove(after.id, version);
};
