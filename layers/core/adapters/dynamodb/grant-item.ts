import * as z from 'zod/mini';
import type { Fingerprint, Grant } from '../../domain/oauth/records.ts';
import { type EpochSeconds, MINUTE } from '../../domain/time.ts';
import type { LiveGrant, NotedToken } from '../../ports.ts';
import {
  fingerprintText,
  GrantAttributes,
  grantAttributes,
  grantFrom,
} from './grant-attributes.ts';

export interface GrantState {
  readonly grant: Grant;
  /** Its access tokens that may be alive; none once it has ended and all of them are revoked. */
  readonly notes: readonly NotedToken[];
  /** The latest generation of refresh tokens of which one was used. */
  readonly usedGeneration: number;
  readonly ended: boolean;
  readonly refreshEnded: boolean;
  /** When it was refreshed last. */
  readonly refreshedAt?: EpochSeconds;
}

const Begun = z.pipe(
  z.object({
    ...GrantAttributes.shape,
    live: z.record(fingerprintText, z.int()),
    used_generation: z.int(),
    ended_at: z.exactOptional(z.int()),
    refresh_ended_at: z.exactOptional(z.int()),
    refreshed_at: z.exactOptional(z.int()),
  }),
  z.transform((item): GrantState => ({
    grant: grantFrom(item),
    notes: Object.entries(item.live).map(([token, expiresAt]) => ({
      fingerprint: token as Fingerprint,
      expiresAt,
    })),
    usedGeneration: item.used_generation,
    ended: item.ended_at !== undefined,
    refreshEnded: item.refresh_ended_at !== undefined,
    ...(item.refreshed_at !== undefined && { refreshedAt: item.refreshed_at }),
  })),
);

/** Of a grant that was ended before it began: it never will. */
const EndedAhead = z.pipe(
  z.object({ ended_at: z.int() }),
  z.transform(() => undefined),
);

export const GrantItem = z.union([Begun, EndedAhead]);

export const newGrant = (grant: Grant, { fingerprint, expiresAt }: NotedToken) => ({
  ...grantAttributes(grant),
  // A map of its own from the start: an update can add to a map, but not make one on the way.
  live: { [fingerprint]: expiresAt },
  used_generation: 0,
});

/** Whether a noted token is dead for certain, on whichever clock. */
export const isOver = ({ expiresAt }: NotedToken, now: EpochSeconds): boolean =>
  expiresAt + MINUTE <= now;

/** @returns undefined for one that gives no access any more */
export const liveGrant = (
  { grant, notes, ended, refreshEnded, refreshedAt }: GrantState,
  refreshSeconds: number,
  now: EpochSeconds,
): LiveGrant | undefined => {
  const refreshableUntil = ended || refreshEnded ? 0 : grant.createdAt + refreshSeconds;
  const expiresAt = Math.max(refreshableUntil, ...notes.map((note) => note.expiresAt));
  if (expiresAt <= now) return undefined;
  return { grant, ...(refreshedAt !== undefined && { refreshedAt }), expiresAt };
};
