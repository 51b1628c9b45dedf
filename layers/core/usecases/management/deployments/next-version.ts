import type { Deployment } from '../../../domain/deployments/deployment.ts';
import type { EpochSeconds } from '../../../domain/time.ts';
import type { StoredVersion } from '../../../ports.ts';
import type { CompiledDescription } from '../descriptions/compile-description.ts';
import { atVersion, nextVersion, revised } from '../../../domain/deployments/next-deployment.ts';

/** A deployment that serves a version which is to be stored with it. */
export interface WithVersion {
  readonly deployment: Deployment;
  readonly version: StoredVersion;
}

/** @param next - the deployment as it will be, but for the version */
export const withNextVersion = (
  next: Deployment,
  compiled: CompiledDescription,
  now: EpochSeconds,
): WithVersion => {
  const number = nextVersion(next);
  return {
    deployment: revised(atVersion(next, number), now),
    version: {
      deploymentId: next.id,
      version: number,
      index: compiled.index,
      report: compiled.report,
      ...(compiled.searchIndex && { searchIndex: compiled.searchIndex }),
      description: compiled.text,
      inline: compiled.inline,
      notes: {
        toolCount: next.toolCount,
        apiBaseUrl: next.apiBaseUrl,
        ...(next.apiTexts && { apiTexts: next.apiTexts }),
        sourceHash: next.sourceHash,
        publication: next.publication,
        warnings: compiled.warnings,
        credentialNeeds: compiled.credentialNeeds,
        createdAt: now,
        upload: compiled.upload,
      },
    },
  };
};
