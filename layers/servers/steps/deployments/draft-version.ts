import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { StoredVersion, VersionOrigin } from '../../../deployments/rules/versions.ts';
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
  /** Whether the choices are all that is chosen: what is absent is as for a new deployment. */
  readonly isWhole?: boolean | undefined;
  readonly status?: Deployment['status'];
  /** Undefined where its tools stay as they are. */
  readonly compiled: CompiledDescription | undefined;
  readonly origin: VersionOrigin;
}

/** A deployment as it is to be stored, with the version that is stored with it where its tools are made anew. */
export interface Draft {
  readonly deployment: Deployment;
  readonly version?: StoredVersion;
}

/**
 * From what somebody wants of a deployment to what is stored. Publishing, revising, checking and refreshing differ in
 * where the change comes from and in what is done with the draft; `firstVersion` is the same of a new one.
 *
 * @returns undefined where nothing changes
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
