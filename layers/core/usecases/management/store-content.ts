import type { Deployment } from '../../domain/deployment.ts';
import type { Ports } from '../../ports.ts';
import type { CompiledDescription } from './compile-description.ts';
import { nextVersion } from './next-deployment.ts';

export type StoreContentPorts = Pick<Ports, 'clock' | 'versions'>;

/**
 * Stores a version that nobody points to yet, under the first free number: a try that crashed may have
 * left content behind.
 *
 * @param next - the deployment as it will be, but for the version
 * @returns the version's number
 */
export const storeContent = async (
  { clock, versions }: StoreContentPorts,
  next: Deployment,
  compiled: CompiledDescription,
): Promise<number> => {
  const notes = {
    toolCount: next.toolCount,
    apiBaseUrl: next.apiBaseUrl,
    sourceHash: next.sourceHash,
    publication: next.publication,
    warnings: compiled.warnings,
    createdAt: clock.now(),
  };
  for (let version = nextVersion(next); ; version += 1) {
    const stored = await versions.put({
      deploymentId: next.id,
      version,
      index: compiled.index,
      report: compiled.report,
      ...(compiled.searchIndex && { searchIndex: compiled.searchIndex }),
      description: compiled.text,
      inline: compiled.inline,
      notes,
    });
    if (stored) return version;
  }
};
