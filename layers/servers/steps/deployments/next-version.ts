import type { Deployment } from '../../rules/deployment.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { StoredVersion, VersionOrigin } from '../../../ports.ts';
import type { CompiledDescription } from '../descriptions/compile-description.ts';
import { atVersion, nextVersion, revised } from '../../rules/next-deployment.ts';

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
  origin: VersionOrigin,
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
        origin,
        upload: compiled.upload,
      },
    },
  };
};

/** That an owner makes, with what they say of it. */
export const ownersVersion = ({
  comment,
}: {
  readonly comment?: string | undefined;
}): VersionOrigin => ({ by: 'owner', ...(comment !== undefined && { comment }) });
