import { exactly } from '../../platform/rules/shape.ts';
import * as z from 'zod/mini';
import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import { type Grant, SCOPES } from '../../tokens/rules/oauth-records.ts';
import type { Refreshes, Rotation } from '../rules/tokens/rotation.ts';
import { PLANS } from '../../limits/rules/plan.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { ActiveGrant } from '../rules/grants.ts';
import type { AccessTokenRef } from '../../tokens/rules/token-records.ts';
import { FingerprintText } from '../../tokens/store/fingerprint-text.ts';

/** A grant as it stands in its own item and within its code's. */
export const GrantAttributes = exactly<Grant>()(
  z.object({
    id: z.string().check(z.minLength(1)),
    userId: z.string().check(z.minLength(1)),
    email: z.string(),
    plan: z.enum(PLANS),
    clientId: z.string(),
    clientName: z.string(),
    clientAuthMethod: z.exactOptional(z.literal('private_key_jwt')),
    deploymentId: z.string().check(z.minLength(1)),
    slug: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    createdAt: z.int(),
  }),
);

const RotationAttributes = exactly<Rotation>()(
  z.object({
    used: z.exactOptional(FingerprintText),
    next: z.record(FingerprintText, z.int()),
    generation: z.int(),
    at: z.exactOptional(z.int()),
  }),
);

export interface GrantState extends Refreshes {
  readonly grant: Grant;
  /** Its access tokens that may be alive; none once it has ended and all of them are revoked. */
  readonly notes: readonly AccessTokenRef[];
  readonly ended: boolean;
  readonly refreshEnded: boolean;
}

const Begun = z.pipe(
  z.object({
    ...GrantAttributes.shape,
    accessTokens: z.record(FingerprintText, z.int()),
    usedGeneration: z.int(),
    endedAt: z.exactOptional(z.int()),
    refreshEndedAt: z.exactOptional(z.int()),
    refreshedAt: z.exactOptional(z.int()),
    rotation: z.exactOptional(RotationAttributes),
  }),
  z.transform(
    ({
      accessTokens,
      usedGeneration,
      endedAt,
      refreshEndedAt,
      refreshedAt,
      rotation,
      ...grant
    }): GrantState => ({
      grant,
      notes: notedIn(accessTokens),
      usedGeneration,
      ended: endedAt !== undefined,
      refreshEnded: refreshEndedAt !== undefined,
      ...(refreshedAt !== undefined && { refreshedAt }),
      ...(rotation && { rotation }),
    }),
  ),
);

const notedIn = (
  accessTokens: Readonly<Record<Fingerprint, EpochSeconds>>,
): readonly AccessTokenRef[] =>
  Object.entries(accessTokens).map(([fingerprint, expiresAt]) => ({
    fingerprint: fingerprint as Fingerprint,
    expiresAt,
  }));

/** Of a grant that was ended before it began: it never will. */
const EndedAhead = z.pipe(
  z.object({ endedAt: z.int() }),
  z.transform(() => undefined),
);

export const GrantItem = z.union([Begun, EndedAhead]);

export const newGrant = (
  grant: Grant,
  { fingerprint, expiresAt }: AccessTokenRef,
  refreshToken?: Fingerprint,
) => ({
  ...grant,
  // A map of its own from the start: an update can add to a map, but not make one on the way.
  accessTokens: { [fingerprint]: expiresAt },
  usedGeneration: 0,
  ...(refreshToken && {
    rotation: { next: { [refreshToken]: grant.createdAt }, generation: 0 } satisfies Rotation,
  }),
});

/** Whether a noted token is dead for certain, on whichever clock. */
export const isOver = ({ expiresAt }: AccessTokenRef, now: EpochSeconds): boolean =>
  expiresAt + MINUTE <= now;

/** @returns undefined for one that gives no access any more */
export const liveGrant = (
  { grant, notes, ended, refreshEnded, refreshedAt }: GrantState,
  refreshSeconds: number,
  now: EpochSeconds,
): ActiveGrant | undefined => {
  const refreshableUntil = ended || refreshEnded ? 0 : grant.createdAt + refreshSeconds;
  const expiresAt = Math.max(refreshableUntil, ...notes.map((note) => note.expiresAt));
  if (expiresAt <= now) return undefined;
  return { grant, ...(refreshedAt !== undefined && { refreshedAt }), expiresAt };
};
