import type { User } from '../../domain/accounts/user.ts';
import type { Deployment } from '../../domain/deployment.ts';
import { checkSlug, slugFromTitle, slugWithEnding } from '../../domain/deployments/index.ts';
import type { PublicationSettings } from '../../domain/publication.ts';
import { ApiRefusal, type Finding } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import {
  compileDescription,
  type CompileDescriptionPorts,
  type CompiledDescription,
  type DescriptionSource,
} from './compile-description.ts';
import {
  atVersion,
  type DeploymentChoices,
  newDeployment,
  revised,
  withDescription,
} from './next-deployment.ts';
import { keepPlace, type OwnedSlugsPorts, reserveSlug } from './owned-slugs.ts';
import { finishRemoval, type RemoveDeploymentPorts } from './remove-deployment.ts';
import { storeContent } from './store-content.ts';

export type PlaceDeploymentPorts = CompileDescriptionPorts & OwnedSlugsPorts;
export type CreateDeploymentPorts = PlaceDeploymentPorts &
  RemoveDeploymentPorts &
  Pick<Ports, 'users'>;

export interface WantedDeployment {
  readonly openapi: DescriptionSource;
  /** Made from the description's title when omitted. */
  readonly slug?: string | undefined;
  readonly choices: DeploymentChoices;
  readonly publication: PublicationSettings;
}

export interface CreatedDeployment {
  readonly deployment: Deployment;
  readonly warnings: readonly Finding[];
}

const ATTEMPTS = 4;

/**
 * Makes a deployment of a description. The slug is reserved among the owner's and the content is stored
 * before the deployment is there, so a crash in between leaves nothing that is served.
 *
 * @param attempt - names the request, and the deployment: a repetition knows its own by it
 * @throws ApiRefusal if the description or the slug cannot be used, or the owner has enough; nothing is
 *   changed then
 *
 * Source: management-api.md, "POST /deployments".
 */
export const createDeployment = async (
  ports: CreateDeploymentPorts,
  owner: User,
  wanted: WantedDeployment,
  attempt: string,
): Promise<CreatedDeployment> => {
  if (wanted.slug !== undefined) checkSlug(wanted.slug);
  const compiled = await compileDescription(ports, wanted.openapi, wanted.publication, owner.plan);
  const { title, warnings } = compiled;

  for (let tries = 0; tries < ATTEMPTS; tries += 1) {
    // Of the owner's own, what a removal that broke off has left makes room.
    const isOurs = ({ id, ownerId, status }: Deployment) =>
      id === attempt || (ownerId === owner.id && status === 'removing');
    const { slug, existing } = await freeSlug(ports, wanted, title, attempt, isOurs);
    if (existing?.status === 'removing') {
      await finishRemoval(ports, existing);
      continue;
    }
    if (existing) return { deployment: existing, warnings };
    const identity = { id: attempt, slug, ownerId: owner.id, title };
    const choices = { ...wanted.choices, ownerPlan: owner.plan };
    const fresh = newDeployment(identity, choices, ports.clock.now());
    const deployment = await createAt(ports, fresh, compiled, { limited: true });
    if (deployment) {
      await checkOwnerIsThere(ports, owner, deployment);
      return { deployment, warnings };
    }
  }
  throw new ApiRefusal('conflict', 'Others keep taking the slug; try again.');
};

/** The account may have been removed while the deployment was made, too late for the removal to see it. */
const checkOwnerIsThere = async (
  ports: CreateDeploymentPorts,
  owner: User,
  deployment: Deployment,
): Promise<void> => {
  const current = await ports.users.find(owner.id);
  if (current?.signedOutAt === owner.signedOutAt) return;
  await finishRemoval(ports, deployment);
  throw new ApiRefusal('invalid_session', 'The session has ended.');
};

/**
 * Where a new deployment goes.
 *
 * @param attempt - makes the ending of a slug whose title others have used
 * @param isOurs - whether what is there already is what is wanted
 * @throws ApiRefusal slug_taken
 */
export const freeSlug = async (
  { deploymentEditor }: Pick<Ports, 'deploymentEditor'>,
  wanted: { readonly slug?: string | undefined },
  title: string,
  attempt: string,
  isOurs: (found: Deployment) => boolean,
): Promise<{ readonly slug: string; readonly existing: Deployment | undefined }> => {
  const plain = wanted.slug ?? slugFromTitle(title);
  const choices =
    wanted.slug === undefined ? [plain, slugWithEnding(plain, attempt.slice(0, 8))] : [plain];
  for (const slug of choices) {
    const found = await deploymentEditor.read(slug);
    if (found === undefined || isOurs(found)) return { slug, existing: found };
  }
  throw new ApiRefusal('slug_taken', `The slug "${plain}" is taken.`, [
    { where: '/slug', what: 'taken', mend: 'Choose another slug.' },
  ]);
};

/** @returns undefined if the slug was taken meanwhile */
export const createAt = async (
  ports: OwnedSlugsPorts,
  fresh: Deployment,
  compiled: CompiledDescription,
  { limited }: { readonly limited: boolean },
): Promise<Deployment | undefined> => {
  const { clock, deploymentEditor, ownedSlugs, versions } = ports;
  const { id: deploymentId, ownerId, slug } = fresh;
  if (limited) await reserveSlug(ports, fresh);
  else await keepPlace(ports, fresh);

  const described = withDescription(fresh, compiled, compiled.publication);
  const version = await storeContent(ports, described, compiled);
  const deployment = revised(atVersion(described, version), clock.now());
  if (await deploymentEditor.create(deployment)) return deployment;
  await versions.removeAll(deploymentId);
  await ownedSlugs.release({ ownerId, slug, deploymentId });
  // The owner's own other request won, whose place this one may have taken.
  const winner = await deploymentEditor.read(slug);
  if (winner?.ownerId === ownerId && winner.status === 'active') await keepPlace(ports, winner);
  return undefined;
};
