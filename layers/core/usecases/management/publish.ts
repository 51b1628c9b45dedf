import type { Deployment, McpAuthMethod } from '../../domain/deployment.ts';
import { checkSlug, isSameDeployment } from '../../domain/deployments/index.ts';
import type { Plan } from '../../domain/plan.ts';
import {
  inToolMode,
  type OperationChoice,
  type PublicationSettings,
  type ToolMode,
} from '../../domain/publication.ts';
import { ApiRefusal, type Finding } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import {
  compileDescription,
  type CompiledDescription,
  type DescriptionSource,
} from './compile-description.ts';
import { createAt, freeSlug, type PlaceDeploymentPorts } from './create-deployment.ts';
import {
  atVersion,
  type DeploymentChoices,
  newDeployment,
  revised,
  withChoices,
  withDescription,
} from './next-deployment.ts';
import { dropOldVersions } from './drop-old-versions.ts';
import { storeContent } from './store-content.ts';

export type PublishPorts = PlaceDeploymentPorts & Pick<Ports, 'mint'>;

export interface Publication extends DeploymentChoices {
  readonly ownerId: string;
  readonly openapi: DescriptionSource;
  /** Made from the description's title when omitted. */
  readonly slug?: string | undefined;
  readonly authMethod: McpAuthMethod;
  readonly apiBaseUrl?: string | undefined;
  readonly serverVariables?: Readonly<Record<string, string>> | undefined;
  readonly operations?: OperationChoice | undefined;
  readonly toolMode?: ToolMode | undefined;
  readonly toolTokenBudget?: number | null | undefined;
}

export interface Published {
  readonly deployment: Deployment;
  readonly created: boolean;
  /** False if exactly this was served already. */
  readonly changed: boolean;
  readonly warnings: readonly Finding[];
}

const ATTEMPTS = 8;

/**
 * Publishes a description under a slug, as operators do: the first time a new deployment, later a new
 * version of it, swapped in whole. Content is stored before the deployment points to it, so a crash in
 * between leaves the old version served and the next try succeeds. No limit on deployments holds here.
 *
 * @throws ApiRefusal if the description or the slug cannot be used; nothing is changed then
 */
export const publish = async (ports: PublishPorts, wanted: Publication): Promise<Published> => {
  if (wanted.slug !== undefined) checkSlug(wanted.slug);
  const plan = wanted.ownerPlan ?? (await planOf(ports, wanted));
  const first = await compileDescription(ports, wanted.openapi, settingsOf(wanted, {}), plan);

  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const published = await publishOnce(ports, wanted, first);
    if (published) return published;
  }
  throw new ApiRefusal('conflict', 'Somebody else keeps changing this deployment; try again.');
};

/** What counts where the command names no plan: that of what is there. */
const planOf = async (
  { deploymentEditor }: Pick<Ports, 'deploymentEditor'>,
  { slug, ownerId }: Publication,
): Promise<Plan> => {
  const found = slug === undefined ? undefined : await deploymentEditor.read(slug);
  return found?.ownerId === ownerId ? found.ownerPlan : 'free';
};

/** @returns undefined if another publication came first and this one should look again */
const publishOnce = async (
  ports: PublishPorts,
  wanted: Publication,
  first: CompiledDescription,
): Promise<Published | undefined> => {
  const { clock, deploymentEditor, mint } = ports;
  const { ownerId, openapi: _, slug: __, apiBaseUrl: ___, ...rest } = wanted;
  const { serverVariables: ____, operations: _____, toolMode: ______, ...others } = rest;
  const { toolTokenBudget: _______, ...choices } = others;
  const place = await freeSlug(
    ports,
    wanted,
    first.title,
    mint.id(),
    (found) => found.ownerId === ownerId && found.status !== 'removing',
  );

  if (!place.existing) {
    const { title, warnings } = first;
    const identity = { id: mint.id(), slug: place.slug, ownerId, title };
    const fresh = newDeployment(identity, choices, clock.now());
    const deployment = await createAt(ports, fresh, first, UNLIMITED);
    return deployment && { deployment, created: true, changed: true, warnings };
  }

  const before = place.existing;
  const compiled = before.publication.overrides
    ? await compileDescription(
        ports,
        wanted.openapi,
        settingsOf(wanted, before.publication),
        wanted.ownerPlan ?? before.ownerPlan,
      )
    : first;
  const { publication, warnings } = compiled;
  const chosen = withChoices(before, choices);
  const next = withDescription(chosen, compiled, publication);
  if (isSameDeployment(before, next)) {
    return { deployment: before, created: false, changed: false, warnings };
  }
  const isRemade = !isSameDeployment(chosen, next);
  const version = isRemade ? await storeContent(ports, next, compiled) : before.version;
  const deployment = revised(atVersion(next, version), clock.now());
  if (!(await deploymentEditor.replace(deployment))) return undefined;
  await dropOldVersions(ports, before, deployment);
  return { deployment, created: false, changed: true, warnings };
};

const UNLIMITED = { limited: false };

/** Only the overrides are kept from before: a command says all the rest. */
const settingsOf = (
  {
    apiBaseUrl,
    serverVariables,
    operations,
    toolMode = 'operations',
    toolTokenBudget,
  }: Publication,
  { overrides }: PublicationSettings,
): PublicationSettings => {
  const settings = {
    ...(apiBaseUrl !== undefined && { apiBaseUrl }),
    ...(serverVariables && { serverVariables }),
    ...(operations && { operations }),
    ...(toolTokenBudget !== undefined && { toolTokenBudget }),
    ...(overrides && { overrides }),
  };
  return inToolMode(settings, toolMode);
};
