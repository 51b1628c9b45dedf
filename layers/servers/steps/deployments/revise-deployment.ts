import type { CountWorkPorts } from '../../../limits/steps/count-work.ts';
import {
  countFetch,
  type DescriptionSource,
  type FetchDescriptionPorts,
  fetchedForNext,
  fetchOverlays,
} from '../descriptions/fetch-description.ts';
import type { Deployment, OwnerStatus } from '../../../deployments/rules/deployment.ts';
import {
  NO_DIFFERENCE,
  toolsDiff,
  type ToolsDiff,
  withModes,
} from '../../rules/differences/tools-diff.ts';
import {
  changedPublication,
  type FetchedChanges,
  isChange,
  type PublicationChanges,
  withoutSettings,
} from '../../../deployments/rules/publication.ts';
import type { FetchTerms } from '../../rules/fetch-terms.ts';
import type { Plan } from '../../../limits/rules/plan.ts';
import { trustOf } from '../../../target/rules/target.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { ServersPorts } from '../../ports.ts';
import {
  compileDescription,
  type CompiledDescription,
  publishedFrom,
} from '../descriptions/compile-description.ts';
import { checkRevision, type Revisions } from '../../../deployments/rules/revision.ts';
import {
  type Owned,
  ownedDeployment,
  stopped,
  tooManyActive,
} from '../../../deployments/steps/owned-deployment.ts';
import {
  type DeploymentChoices,
  withChoices,
  withoutChoices,
} from '../../rules/next-deployment.ts';
import { draftVersion, ownersVersion } from './draft-version.ts';
import { storedDescription } from './versions.ts';
import { warningsOf, withCredentialWarnings } from '../descriptions/warnings-of.ts';

type ReviseDeploymentPorts = FetchDescriptionPorts &
  CountWorkPorts &
  Pick<ServersPorts, 'cases' | 'clock' | 'deploymentEditor' | 'toolIndexes' | 'versions'>;

/** Changes of a deployment; what is absent stays. */
export interface Revision {
  readonly source?: DescriptionSource | undefined;
  readonly choices?: DeploymentChoices;
  /** The choices replace all others: absent ones become defaults. */
  readonly isWhole?: boolean;
  readonly status?: OwnerStatus | undefined;
  readonly publication?: PublicationChanges;
  readonly comment?: string | undefined;
}

export interface Revised {
  readonly deployment: Deployment;
  readonly warnings: readonly Finding[];
  readonly tools: ToolsDiff;
}

const ATTEMPTS = 4;
/** Compilations per request: a concurrent change may invalidate one. */
const COMPILATIONS = 2;

/**
 * Changes a deployment in one transaction; changed tools make a new version, so that a crash or a bad description
 * leaves the old one served. Overrides and choices of operations carry over to new descriptions.
 *
 * @throws ApiRefusal not_found, stale, conflict, limit_reached, and faults of the description
 * Source: docs/decisions/descriptions.md, "Versions and overrides".
 */
export const reviseDeployment = async (
  ports: ReviseDeploymentPorts,
  terms: FetchTerms,
  wanted: Owned & { readonly revisions?: Revisions },
  revision: Revision,
): Promise<Revised> => {
  const compile = compilerOf(ports, terms, revision);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const before = await ownedDeployment(ports, wanted);
    checkRevision(before, wanted.revisions);
    const done = await reviseOnce(ports, before, revision, compile);
    if (done) return done;
  }
  throw tooManyChanges();
};

const tooManyChanges = () =>
  new ApiRefusal('conflict', 'Somebody else keeps changing this deployment; try again.');

type Compile = (before: Deployment, plan: Plan) => Promise<CompiledDescription | undefined>;

/** Compiles a revision, once for all attempts with the same inputs; undefined if it does not change the tools. */
const compilerOf = (
  ports: ReviseDeploymentPorts,
  terms: FetchTerms,
  { source, publication = {}, choices = {}, isWhole = false }: Revision,
): Compile => {
  let done: { readonly key: string; readonly compiled: CompiledDescription } | undefined;
  let compilations = 0;
  let fetched: FetchedChanges | undefined;
  return async (deployment, plan) => {
    const { id, version, ownerId, publication: before } = deployment;
    if (source === undefined && !isChange(publication)) return undefined;
    const next = withChoices(isWhole ? withoutChoices(deployment) : deployment, choices);
    fetched ??= await fetchOverlays(ports, terms, publication, ownerId, trustOf(next));
    const settings = publishedFrom(
      changedPublication(isWhole ? withoutSettings(before) : before, fetched),
      source,
    );
    const made = source === undefined && [id, version];
    const key = JSON.stringify([made, settings, before.operations, plan]);
    if (done?.key === key) return done.compiled;
    compilations += 1;
    if (compilations > COMPILATIONS) throw tooManyChanges();
    if (source !== undefined) await countFetch(ports, source, ownerId);
    const used = source ?? (await storedDescription(ports, id, version));
    const compiled = await compileDescription(ports, terms, used, settings, plan, {
      former: before.operations,
      fetchedFor: fetchedForNext(deployment, next),
    });
    done = { key, compiled };
    return done.compiled;
  };
};

/** @returns undefined after a concurrent change */
const reviseOnce = async (
  ports: ReviseDeploymentPorts,
  before: Deployment,
  revision: Revision,
  compile: Compile,
): Promise<Revised | undefined> => {
  const { choices = {}, isWhole, status = before.status, comment } = revision;
  const { clock, deploymentEditor, settings } = ports;
  if (before.status === 'stopped' && status !== 'stopped') throw stopped();
  const compiled = await compile(before, choices.ownerPlan ?? before.ownerPlan);
  const warnings = compiled
    ? withCredentialWarnings(compiled, compiled.index, before)
    : await warningsOf(ports, before);
  const change = { choices, isWhole, status, compiled, origin: ownersVersion(comment) };
  const draft = draftVersion(before, change, clock.now());
  if (!draft) return { deployment: before, warnings, tools: NO_DIFFERENCE };
  const { deployment, ...made } = draft;
  if (compiled && made.version && typeof deployment.casesRight === 'number') {
    const { checkGate } = await import('./case-gate.ts');
    await checkGate(ports, before, deployment, compiled.index);
  }
  const maxActive = settings.limits.active_deployments_per_user;
  const outcome = await deploymentEditor.replace(before, deployment, { ...made, maxActive });
  if (outcome === 'limit_reached') throw tooManyActive(maxActive);
  if (outcome === 'stale') return undefined;

  const tools =
    compiled && made.version ? await differenceTo(ports, before, compiled) : NO_DIFFERENCE;
  return { deployment, warnings, tools };
};

export const differenceTo = async (
  { toolIndexes }: Pick<DeploymentsPorts, 'toolIndexes'>,
  { id, version, publication }: Deployment,
  compiled: CompiledDescription,
): Promise<ToolsDiff> => {
  const before = await toolIndexes.find(id, version);
  return before
    ? withModes(toolsDiff(before, compiled.index), publication, compiled.publication)
    : NO_DIFFERENCE;
};
