import type { OauthPorts } from '../../../oauth/ports.ts';
import {
  type DescriptionSource,
  type FetchDescriptionPorts,
  fetchedForNew,
  fetchedForNext,
} from '../descriptions/fetch-description.ts';
import { PERSONS } from '../../../accounts/rules/permission.ts';
import { asItIs } from '../../rules/fetch-terms.ts';
import { usageSubject } from '../../../limits/rules/windows.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { checkUnmanaged } from '../../../deployments/rules/manager.ts';
import { checkSlug } from '../../../platform/rules/addresses.ts';
import {
  changedPublication,
  type FetchedChanges,
  type PublicationSettings,
} from '../../../deployments/rules/publication.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import {
  type CompiledDescription,
  compileDescription,
} from '../descriptions/compile-description.ts';
import { freeSlug } from './create-deployment.ts';
import { type DeploymentChoices, withChoices } from '../../rules/next-deployment.ts';
import { draftVersion, firstVersion } from './draft-version.ts';
import { withCredentialWarnings } from '../descriptions/warnings-of.ts';

export type PublishPorts = FetchDescriptionPorts &
  Pick<OauthPorts, 'clock' | 'deploymentEditor' | 'random' | 'users'>;

export interface Publication {
  readonly ownerId: string;
  readonly source: DescriptionSource;
  /** Default: derived from the description's title. */
  readonly slug?: string | undefined;
  readonly choices: DeploymentChoices;
  /** Replaces all settings but the existing overrides. */
  readonly publication: FetchedChanges;
}

export interface Published {
  readonly deployment: Deployment;
  readonly created: boolean;
  /** False if exactly this was served already. */
  readonly changed: boolean;
  readonly warnings: readonly Finding[];
}

const OPERATORS = asItIs(PERSONS);
const ATTEMPTS = 8;
const origin = { by: 'operator' } as const;

/**
 * Publishes a description for an operator: a new deployment, or a new version of an existing one, in one transaction
 * with its contents, so that a crash leaves the old version served. Limits on deployments do not apply.
 *
 * @throws ApiRefusal if the description or the slug cannot be used; nothing is changed then
 */
export const publish = async (ports: PublishPorts, wanted: Publication): Promise<Published> => {
  if (wanted.slug !== undefined) checkSlug(wanted.slug);
  const before = await ownDeployment(ports, wanted);
  const { ownerId, choices } = wanted;
  const id = ports.random.id();
  const fetchedFor = before
    ? fetchedForNext(before, withChoices(before, choices))
    : fetchedForNew({ id, slug: wanted.slug ?? id, ownerId }, choices);
  const first = await compileDescription(
    ports,
    OPERATORS,
    wanted.source,
    settingsOf(wanted, {}),
    choices.ownerPlan ?? before?.ownerPlan ?? 'free',
    { fetchedFor },
  );
  const owner = await ports.users.find(wanted.ownerId);
  const ownerUsage = owner && usageSubject(owner.email);
  const mayBeResumed = owner !== undefined;

  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const wish = { ...wanted, choices: { ...choices, ownerUsage }, mayBeResumed };
    const published = await publishOnce(ports, wish, first);
    if (published) return published;
  }
  throw new ApiRefusal('conflict', 'Somebody else keeps changing this deployment; try again.');
};

const ownDeployment = async (
  { deploymentEditor }: Pick<DeploymentsPorts, 'deploymentEditor'>,
  { slug, ownerId }: Publication,
): Promise<Deployment | undefined> => {
  const found = slug === undefined ? undefined : await deploymentEditor.read(slug);
  return found && isReplaceable(found, ownerId) ? found : undefined;
};

const isReplaceable = (found: Deployment, ownerId: string): boolean =>
  found.ownerId === ownerId && found.status !== 'removing';

/** @returns undefined if a concurrent publication came first and this one must be retried */
const publishOnce = async (
  ports: PublishPorts,
  wanted: Publication & { readonly mayBeResumed: boolean },
  first: CompiledDescription,
): Promise<Published | undefined> => {
  const { clock, deploymentEditor, random } = ports;
  const { ownerId, choices } = wanted;
  const place = await freeSlug(ports, wanted, first.title, random.id(), (found) =>
    isReplaceable(found, ownerId),
  );

  if (!place.existing) {
    const { title, warnings } = first;
    const identity = { id: random.id(), slug: place.slug, ownerId, title };
    const wish = { choices, compiled: first, origin };
    const { deployment, version } = firstVersion(identity, wish, clock.now());
    const outcome = await deploymentEditor.create(deployment, { version });
    if (outcome !== 'created') return undefined;
    return { deployment, created: true, changed: true, warnings };
  }

  const before = place.existing;
  checkUnmanaged(before);
  const compiled = before.publication.overrides
    ? await compileDescription(
        ports,
        OPERATORS,
        wanted.source,
        settingsOf(wanted, before.publication),
        choices.ownerPlan ?? before.ownerPlan,
        { fetchedFor: fetchedForNext(before, withChoices(before, choices)) },
      )
    : first;
  // A paused deployment whose owner has no account could not be resumed by anybody.
  const status = before.status === 'paused' && !wanted.mayBeResumed ? 'active' : before.status;
  const warnings = [
    ...withCredentialWarnings(compiled, compiled.index, before),
    ...notServed({ ...before, status }),
  ];
  const draft = draftVersion(before, { choices, status, compiled, origin }, clock.now());
  if (!draft) return { deployment: before, created: false, changed: false, warnings };
  const { deployment, ...made } = draft;
  if ((await deploymentEditor.replace(before, deployment, made)) !== 'replaced') return undefined;
  return { deployment, created: false, changed: true, warnings };
};

/** Warns the operator that the deployment does not serve what was published. */
const notServed = ({ slug, status }: Pick<Deployment, 'slug' | 'status'>): readonly Finding[] => {
  if (status === 'active') return [];
  return [
    status === 'stopped'
      ? {
          where: '',
          what: 'the server is stopped, so that its addresses are 404',
          hint: `Let it go on: hosted-mcp admin release ${slug}`,
        }
      : {
          where: '',
          what: 'the server is paused, so that its addresses are 404',
          hint: 'Its owner resumes it.',
        },
  ];
};

const settingsOf = (
  { publication }: Publication,
  { overrides }: PublicationSettings,
): PublicationSettings => changedPublication({ ...(overrides && { overrides }) }, publication);
