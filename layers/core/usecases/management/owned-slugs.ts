import type { Deployment } from '../../domain/deployment.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import { MINUTE } from '../../domain/time.ts';
import type { Ports, Reservation } from '../../ports.ts';

export type OwnedSlugsPorts = Pick<
  Ports,
  'clock' | 'deploymentEditor' | 'ownedSlugs' | 'removals' | 'settings' | 'versions'
>;

/** After this long, no function that reserved a slug can still be at work. */
const ABANDONED_SECONDS = MINUTE;

/**
 * Takes one of the owner's places for active deployments, before the deployment is active. What crashed
 * tries have reserved is given back first, where all places are taken.
 *
 * @throws ApiRefusal limit_reached
 *
 * Source: spec, "Limits".
 */
export const reserveSlug = async (
  ports: OwnedSlugsPorts,
  { ownerId, slug, id }: Pick<Deployment, 'ownerId' | 'slug' | 'id'>,
): Promise<void> => {
  const { clock, ownedSlugs, settings } = ports;
  const limit = settings.limits.active_deployments_per_user;
  const reservation = { ownerId, slug, deploymentId: id, since: clock.now() };
  const owned = await ownedSlugs.list(ownerId);
  for (const one of owned) {
    if (one.slug === slug && one.deploymentId !== id) await dismiss(ports, one);
  }
  if (await ownedSlugs.reserve(reservation, limit)) return;
  for (const one of owned) await mendReservation(ports, one);
  if (await ownedSlugs.reserve(reservation, limit)) return;
  throw new ApiRefusal(
    'limit_reached',
    `You have ${limit} active deployments, as many as your plan allows. Pause or remove one first.`,
    [],
    'active deployments',
    { limit: 'active_deployments_per_user' },
  );
};

/** What the owner's last try reserved for this very slug; whatever it has stored is for the sweep. */
const dismiss = async (
  { clock, ownedSlugs, removals }: OwnedSlugsPorts,
  { ownerId, slug, deploymentId }: Reservation,
): Promise<void> => {
  await removals.note({ deploymentId, slug, since: clock.now() });
  await ownedSlugs.release({ ownerId, slug, deploymentId });
};

/** Takes a place for a deployment that is active already, however many there are. */
export const keepPlace = async (
  { clock, ownedSlugs }: Pick<Ports, 'clock' | 'ownedSlugs'>,
  { ownerId, slug, id: deploymentId }: Pick<Deployment, 'ownerId' | 'slug' | 'id'>,
): Promise<void> => {
  await ownedSlugs.reserve({ ownerId, slug, deploymentId, since: clock.now() }, UNLIMITED);
};

const UNLIMITED = Number.MAX_SAFE_INTEGER;

/**
 * Gives back what was reserved for a deployment that never came, and what that left behind; or that is
 * not active any more.
 *
 * @returns whether there was anything to mend
 */
export const mendReservation = async (
  { clock, deploymentEditor, ownedSlugs, versions }: OwnedSlugsPorts,
  reservation: Reservation,
): Promise<boolean> => {
  if (clock.now() < reservation.since + ABANDONED_SECONDS) return false;
  const deployment = await deploymentEditor.read(reservation.slug);
  const isThere = deployment?.id === reservation.deploymentId;
  if (isThere && deployment.status === 'active') return false;
  if (!isThere) await versions.removeAll(reservation.deploymentId);
  await ownedSlugs.release(reservation);
  return true;
};
