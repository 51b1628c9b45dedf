import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import type { Deployment } from './deployment.ts';

/**
 * Keeps the slug of a removed deployment for its former owner: clients that still call it must not come to
 * a stranger. An account that was removed too is nobody's any more, and ids are never used again.
 *
 * Source: docs/decisions/management.md, "Slugs".
 */
export interface SlugReservation {
  readonly slug: string;
  /** The former owner, who may be gone. */
  readonly ownerId: string;
  readonly expiresAt: EpochSeconds;
}

const RESERVED_SECONDS = 90 * DAY;

export const reservationOf = (
  { slug, ownerId }: Pick<Deployment, 'slug' | 'ownerId'>,
  removedAt: EpochSeconds,
): SlugReservation => ({ slug, ownerId, expiresAt: removedAt + RESERVED_SECONDS });

/** Whether somebody else than this owner may still not have the slug. */
export const isReservedFrom = (
  ownerId: string,
  reservation: SlugReservation | undefined,
  now: EpochSeconds,
): reservation is SlugReservation =>
  reservation !== undefined && reservation.ownerId !== ownerId && now < reservation.expiresAt;
