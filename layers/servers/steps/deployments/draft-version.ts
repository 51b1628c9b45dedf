import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { VersionOrigin } from '../../../deployments/rules/version-notes.ts';
import type { StoredVersion } from '../../../deployments/rules/versions.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import {
  atVersion,
  type DeploymentChoices,
  isSameDeployment,
  type NewDeployment,
  newDeployment,
  nextVersion,
  revised,
  withChoices,
  withDescription,
  withoutChoices,
} from '../../rules/next-deployment.ts';
import type { CompiledDescription } from '../descriptions/compile-description.ts';

export interface Change {
  readonly choices?: DeploymentChoices;
  /** The choices replace all others: absent ones become defaults. */
  readonly isWhole?: boolean | undefined;
  readonly status?: Deployment['status'];
  /** New tools; undefined if they stay. */
  readonly compiled: CompiledDescription | undefined;
  readonly origin: VersionOrigin;
}

/** A deployment as it will be stored, with its new version if its tools changed. */
export interface Draft {
  readonly deployment: Deployment;
  readonly version?: StoredVersion;
}

/**
 * Applies a change to a deployment, without storing it. Shared by publishing, revising, checking and refreshing;
 * `firstVersion` does the same for new deployments.
 *
 * @returns undefined if nothing changes
 */
export const draftVersion = (
  before: Deployment,
  { choices = {}, isWhole, status = before.status, compiled, origin }: Change,
  now: EpochSeconds,
): Draft | undefined => {
  const chosen = { ...withChoices(isWhole ? withoutChoices(before) : before, choices), status };
  const next = compiled ? withDescription(chosen, compiled) : chosen;
  if (isSameDeployment(before, next)) return undefined;
  return compiled && !isSameDeployment(chosen, next)
    ? withVersion(next, compiled, origin, now)
    : { deployment: revised(next, now) };
};

export const firstVersion = (
  identity: NewDeployment,
  { choices = {}, compiled, origin }: Change & { readonly compiled: CompiledDescription },
  now: EpochSeconds,
): Required<Draft> =>
  withVersion(
    withDescription(newDeployment(identity, choices, now), compiled),
    compiled,
    origin,
    now,
  );

const withVersion = (
  next: Deployment,
  compiled: CompiledDescription,
  origin: VersionOrigin,
  now: EpochSeconds,
): Required<Draft> => {
  const number = nextVersion(next);
  const { index, report, searchIndex, text, inline } = compiled;
  const { warnings, credentialNeeds, upload } = compiled;
  const { toolCount, apiBaseUrl, apiTexts, sourceHash, publication } = next;
  return {
    deployment: revised(atVersion(next, number), now),
    version: {
      deploymentId: next.id,
      version: number,
      index,
      report,
      ...(searchIndex && { searchIndex }),
      description: text,
      inline,
      notes: {
        toolCount,
        apiBaseUrl,
        ...(apiTexts && { apiTexts }),
        sourceHash,
        publication,
        warnings,
        credentialNeeds,
        createdAt: now,
        origin,
        upload,
      },
    },
  };
};

export const ownersVersion = (comment: string | undefined): VersionOrigin => ({
  by: 'owner',
  ...(comment !== undefined && { comment }),
});
