import type { Deployment } from '../../domain/deployment.ts';
import {
  isSameDeployment,
  toolsDiff,
  type ToolsDiff,
  withModes,
} from '../../domain/deployments/index.ts';
import { Fault } from '../../domain/fault.ts';
import type { PublicationSettings } from '../../domain/publication.ts';
import { ApiRefusal, type Finding } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import {
  compileDescription,
  type CompileDescriptionPorts,
  type CompiledDescription,
  type DescriptionSource,
} from './compile-description.ts';
import { checkRevision, type Revisions } from './credential/change-deployment.ts';
import { dropOldVersions } from './drop-old-versions.ts';
import {
  atVersion,
  type DeploymentChoices,
  revised,
  withChoices,
  withDescription,
} from './next-deployment.ts';
import { type Owned, ownedDeployment } from './owned-deployment.ts';
import { type OwnedSlugsPorts, reserveSlug } from './owned-slugs.ts';
import { storeContent } from './store-content.ts';

export type ReviseDeploymentPorts = CompileDescriptionPorts &
  OwnedSlugsPorts &
  Pick<Ports, 'toolIndexes'>;

/** What is to change; the rest stays. */
export interface Revision {
  readonly openapi?: DescriptionSource | undefined;
  readonly choices?: DeploymentChoices;
  readonly status?: 'active' | 'paused' | undefined;
  /** How tools are made, as it will be; given the way it was. */
  readonly publication?: ((before: PublicationSettings) => PublicationSettings) | undefined;
}

export interface Revised {
  readonly deployment: Deployment;
  readonly warnings: readonly Finding[];
  readonly tools: ToolsDiff;
}

const ATTEMPTS = 4;
const NO_DIFFERENCE: ToolsDiff = { added: [], removed: [], changed: [], breaking: false };

/**
 * Changes a deployment in one write. Where its tools change, a new version is stored first, so that a
 * crash or a bad description leaves the old one served; overrides and choices of operations hold for
 * new descriptions too.
 *
 * @throws ApiRefusal not_found, stale, conflict, limit_reached, and what is wrong with a description
 *
 * Source: management-api.md, "PATCH", "PUT /deployments/{slug}/openapi".
 */
export const reviseDeployment = async (
  ports: ReviseDeploymentPorts,
  wanted: Owned & { readonly revisions?: Revisions },
  revision: Revision,
): Promise<Revised> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await ownedDeployment(ports, wanted);
    checkRevision(before, wanted.revisions);
    const done = await reviseOnce(ports, before, revision);
    if (done) return done;
  }
  throw new ApiRefusal('conflict', 'Somebody else keeps changing this deployment; try again.');
};

/** @returns undefined if somebody else changed it meanwhile */
const reviseOnce = async (
  ports: ReviseDeploymentPorts,
  before: Deployment,
  { choices = {}, openapi, publication, status: wantedStatus }: Revision,
): Promise<Revised | undefined> => {
  const { clock, deploymentEditor, ownedSlugs } = ports;
  const status = wantedStatus ?? before.status;
  const chosen = { ...withChoices(before, choices), status };
  const compiled =
    openapi === undefined && publication === undefined
      ? undefined
      : await compileDescription(
          ports,
          openapi ?? (await storedDescription(ports, before)),
          publication?.(before.publication) ?? before.publication,
          chosen.ownerPlan,
        );
  const next = compiled ? withDescription(chosen, compiled, compiled.publication) : chosen;
  const warnings = compiled?.warnings ?? (await warningsOf(ports, before));
  if (isSameDeployment(before, next)) return { deployment: before, warnings, tools: NO_DIFFERENCE };

  if (before.status === 'paused' && status === 'active') await reserveSlug(ports, before);
  const isRemade = compiled && !isSameDeployment(chosen, next);
  const version = isRemade ? await storeContent(ports, next, compiled) : before.version;
  const deployment = revised(atVersion(next, version), clock.now());
  if (!(await deploymentEditor.replace(deployment))) return undefined;

  const { id: deploymentId, ownerId, slug } = before;
  if (status === 'paused') await ownedSlugs.release({ ownerId, slug, deploymentId });
  const tools = isRemade ? await differenceTo(ports, before, compiled) : NO_DIFFERENCE;
  await dropOldVersions(ports, before, deployment);
  return { deployment, warnings, tools };
};

const storedDescription = async (
  { versions }: Pick<Ports, 'versions'>,
  { id, version }: Deployment,
): Promise<string> => {
  const text = await versions.description(id, version);
  if (text === undefined) throw new Fault('dynamodb', 'a served version has no description');
  return text;
};

/** Of the version that is served. */
export const warningsOf = async (
  { versions }: Pick<Ports, 'versions'>,
  { id, version }: Deployment,
): Promise<readonly Finding[]> => (await versions.notes(id, version))?.warnings ?? [];

const differenceTo = async (
  { toolIndexes }: Pick<Ports, 'toolIndexes'>,
  { id, version, publication }: Deployment,
  compiled: CompiledDescription,
): Promise<ToolsDiff> => {
  const before = await toolIndexes.find(id, version);
  return before
    ? withModes(toolsDiff(before, compiled.index), publication, compiled.publication)
    : NO_DIFFERENCE;
};
