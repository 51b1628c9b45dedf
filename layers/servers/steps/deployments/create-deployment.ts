import type { CountWorkPorts } from '../../../limits/steps/count-work.ts';
import {
  countFetch,
  type DescriptionSource,
  type FetchDescriptionPorts,
  fetchedForNew,
  fetchOverlays,
} from '../descriptions/fetch-description.ts';
import { usageSubject } from '../../../limits/rules/windows.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import {
  checkSlug,
  isReservedFrom,
  slugFromTitle,
  type SlugReservation,
  slugWithEnding,
} from '../../../platform/rules/addresses.ts';
import {
  changedPublication,
  type PublicationChanges,
} from '../../../deployments/rules/publication.ts';
import { ApiRefusal, type Finding } from '../../../platform/rules/refusal/api-refusal.ts';
import type { FetchTerms } from '../../rules/fetch-terms.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { dayOf } from '../../../platform/rules/time.ts';
import { trustOf } from '../../../target/rules/target.ts';
import { compileDescription } from '../descriptions/compile-description.ts';
import { tooManyActive } from '../../../deployments/steps/owned-deployment.ts';
import type { DeploymentChoices } from '../../rules/next-deployment.ts';
import { firstVersion, ownersVersion } from './draft-version.ts';
import { finishRemoval } from './remove-deployment.ts';
import type { PortsOf } from '../../../platform/ports.ts';

export interface WantedDeployment {
  readonly source: DescriptionSource;
  /** Default: derived from the description's title. */
  readonly slug?: string | undefined;
  readonly choices: DeploymentChoices;
  readonly publication: PublicationChanges;
  readonly comment?: string | undefined;
}

const ATTEMPTS = 4;

/**
 * Creates a deployment from a description, in one transaction with its contents and the owner's active slugs.
 *
 * @param attempt - id of the request and of the deployment, by which a repeated request finds its own
 * @throws ApiRefusal if the description or the slug cannot be used, or the owner has enough; nothing is changed then
 * Source: docs/decisions/management.md, "Repeating a request".
 */
export const createDeployment = async (
  ports: FetchDescriptionPorts & CountWorkPorts & PortsOf<typeof finishRemoval>,
  owner: User,
  terms: FetchTerms,
  wanted: WantedDeployment,
  attempt: string,
): Promise<{ readonly deployment: Deployment; readonly warnings: readonly Finding[] }> => {
  if (wanted.slug !== undefined) checkSlug(wanted.slug);
  const identified = { id: attempt, slug: wanted.slug ?? attempt, ownerId: owner.id };
  const fetchedFor = fetchedForNew(identified, wanted.choices);
  const trust = trustOf(fetchedFor);
  const changes = await fetchOverlays(ports, terms, wanted.publication, owner.id, trust);
  const publication = changedPublication({}, changes);
  await countFetch(ports, wanted.source, owner.id);
  const compiled = await compileDescription(ports, terms, wanted.source, publication, owner.plan, {
    fetchedFor,
  });
  const { title, warnings } = compiled;
  const maxActive = ports.settings.limits.active_deployments_per_user;

  for (let tries = 0; tries < ATTEMPTS; tries += 1) {
    const now = ports.clock.now();
    // Resumes an interrupted removal of the owner's own deployment first.
    const isOurs = ({ id, ownerId, status }: Deployment) =>
      id === attempt || (ownerId === owner.id && status === 'removing');
    const place = { slug: wanted.slug, ownerId: owner.id };
    const { slug, existing } = await freeSlug(ports, place, title, attempt, isOurs);
    if (existing?.status === 'removing') {
      await finishRemoval(ports, existing);
      continue;
    }
    if (existing) return { deployment: existing, warnings };
    await checkPlace(ports, owner.id, maxActive);
    const identity = { id: attempt, slug, ownerId: owner.id, title };
    const choices = {
      ...wanted.choices,
      ownerPlan: owner.plan,
      ownerUsage: usageSubject(owner.email),
    };
    const origin = ownersVersion(wanted.comment);
    const { deployment, version } = firstVersion(identity, { choices, compiled, origin }, now);
    const outcome = await ports.deploymentEditor.create(deployment, { version, maxActive, owner });
    if (outcome === 'created') return { deployment, warnings };
    if (outcome === 'limit_reached') throw tooManyActive(maxActive);
    if (outcome === 'owner_gone') {
      throw new ApiRefusal('invalid_session', 'The session has ended.');
    }
  }
  throw new ApiRefusal('conflict', 'Others keep taking the slug; try again.');
};

/** Early check of the limit; the transaction enforces it. */
export const checkPlace = async (
  { deploymentEditor }: Pick<DeploymentsPorts, 'deploymentEditor'>,
  ownerId: string,
  maxActive: number,
): Promise<void> => {
  const { length } = await deploymentEditor.activeSlugs(ownerId);
  if (length >= maxActive) throw tooManyActive(maxActive);
};

/**
 * Finds a free slug, or the request's own deployment.
 *
 * @param attempt - makes the ending of a slug if the title is taken
 * @param isOurs - accepts a deployment that exists already
 * @throws ApiRefusal slug_taken
 */
export const freeSlug = async (
  { clock, deploymentEditor }: Pick<DeploymentsPorts, 'clock' | 'deploymentEditor'>,
  wanted: { readonly slug?: string | undefined; readonly ownerId: string },
  title: string,
  attempt: string,
  isOurs: (found: Deployment) => boolean,
): Promise<{ readonly slug: string; readonly existing: Deployment | undefined }> => {
  const plain = wanted.slug ?? slugFromTitle(title);
  const choices =
    wanted.slug === undefined ? [plain, slugWithEnding(plain, attempt.slice(0, 8))] : [plain];
  for (const slug of choices) {
    const reads = [deploymentEditor.read(slug), deploymentEditor.reservation(slug)] as const;
    const [found, reservation] = await Promise.all(reads);
    if (found && isOurs(found)) return { slug, existing: found };
    if (found) continue;
    if (!isReservedFrom(wanted.ownerId, reservation, clock.now())) return { slug, existing: found };
    if (wanted.slug !== undefined) throw reservedSlug(reservation);
  }
  throw new ApiRefusal('slug_taken', `The slug "${plain}" is taken.`, [
    { where: '/slug', what: 'taken', hint: 'Choose another slug.' },
  ]);
};

const reservedSlug = ({ slug, expiresAt }: SlugReservation): ApiRefusal => {
  const until = dayOf(expiresAt);
  return new ApiRefusal(
    'slug_taken',
    `The slug "${slug}" was that of a deployment that is removed, and stays reserved for its former owner until ${until}.`,
    [{ where: '/slug', what: 'reserved', hint: 'Choose another slug.' }],
  );
};
