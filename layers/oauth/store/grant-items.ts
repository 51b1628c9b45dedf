import * as z from 'zod/mini';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Fingerprint, FingerprintText } from '../../platform/rules/fingerprint.ts';
import { type AccessTokenRef, Grant, RefreshToken } from '../../tokens/rules/oauth-records.ts';
import { type Refreshes, replacedBy, Rotation } from '../rules/tokens/rotation.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { ActiveGrant, ShownRefreshToken } from '../rules/grants.ts';
import { expiring, itemsOf } from '../../platform/dynamodb/items.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import { refreshTokenKey } from '../../platform/dynamodb/keys.ts';

export interface GrantState extends Refreshes {
  readonly grant: Grant;
  /** Access tokens that may be valid; empty once the grant has ended and all are revoked. */
  readonly notes: readonly AccessTokenRef[];
  readonly ended: boolean;
  readonly refreshEnded: boolean;
}

const Begun = z.pipe(
  z.object({
    ...Grant.shape,
    accessTokens: z.record(FingerprintText, z.int()),
    usedGeneration: z.int(),
    endedAt: z.exactOptional(z.int()),
    refreshEndedAt: z.exactOptional(z.int()),
    refreshedAt: z.exactOptional(z.int()),
    rotation: z.exactOptional(Rotation),
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

/** A grant that was ended before it was stored. */
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
  // The map must exist from the start: an update can add to a map, but not create one.
  accessTokens: { [fingerprint]: expiresAt },
  usedGeneration: 0,
  ...(refreshToken && {
    rotation: { next: { [refreshToken]: grant.createdAt }, generation: 0 } satisfies Rotation,
  }),
});

/** Expired on every clock, with a minute's leeway. */
export const isOver = ({ expiresAt }: AccessTokenRef, now: EpochSeconds): boolean =>
  expiresAt + MINUTE <= now;

/** @returns undefined for a grant that gives no access any more */
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

/** Refresh tokens are immutable: their grant says which may be used. */
export const dynamoRefreshTokens = (dynamo: DynamoDBDocumentClient, TableName: string) => {
  const items = itemsOf(dynamo, TableName, refreshTokenKey, RefreshToken);

  return {
    find: items.find,

    put: async (token: Fingerprint, record: RefreshToken): Promise<void> => {
      await items.put(token, expiring(record));
    },

    storing: (token: Fingerprint, record: RefreshToken): Write =>
      items.storing(token, expiring(record)),
  };
};

export type RefreshTokens = ReturnType<typeof dynamoRefreshTokens>;

/** DynamoDB limits update expressions to 4 KB. */
const REPLACED_AT_ONCE = 100;

/** Updates of a grant, one for each step of rotation. None applies once the grant or its refresh has ended. */
export const refreshChanges = (
  { fingerprint, generation, successor }: ShownRefreshToken,
  access: AccessTokenRef,
  now: EpochSeconds,
) => {
  const change = (
    condition: string,
    { set = '', remove = '', names = {}, values = {} }: Partial<Expressions> = {},
  ) => ({
    UpdateExpression:
      `SET accessTokens.#token = :expires, usedGeneration = :generation, refreshedAt = :now${set}` +
      remove,
    ConditionExpression:
      'usedGeneration <= :generation AND attribute_not_exists(endedAt) ' +
      `AND attribute_not_exists(refreshEndedAt)${condition}`,
    ExpressionAttributeNames: { '#token': access.fingerprint, ...names },
    ExpressionAttributeValues: {
      ':expires': access.expiresAt,
      ':generation': generation,
      ':now': now,
      ...values,
    },
  });
  const next: Rotation['next'] = successor ? { [successor]: now } : {};
  const rotation: Rotation = { used: fingerprint, next, generation, at: now };
  const used = { '#used': 'used' };

  /** Use of a noted successor. */
  const advances = change(' AND attribute_exists(rotation.#next.#shown)', {
    set: ', rotation = :rotation',
    names: { '#next': 'next', '#shown': fingerprint },
    values: { ':rotation': rotation },
  });

  return {
    /** For a client that keeps its refresh token. */
    keeps: change(''),

    advances: () => advances,

    repeats: ({ rotation: seen }: GrantState) => {
      const replaced = (seen ? replacedBy(seen, now) : []).slice(0, REPLACED_AT_ONCE);
      return change(' AND rotation.#used = :shown', {
        set: ', rotation.#at = :now, rotation.#next.#successor = :now',
        remove: replaced.length === 0 ? '' : ` REMOVE ${replaced.map(inNext).join(', ')}`,
        names: {
          ...used,
          '#at': 'at',
          '#next': 'next',
          ...(successor && { '#successor': successor }),
          ...Object.fromEntries(replaced.map((one, number) => [`#${number}`, one])),
        },
        values: { ':shown': fingerprint },
      });
    },

    begins: ({ rotation: seen }: GrantState) =>
      change(
        seen?.used === undefined
          ? ' AND attribute_not_exists(rotation.#used)'
          : ' AND rotation.#used = :seen',
        {
          set: ', rotation = :rotation',
          names: used,
          values: {
            ':rotation': rotation,
            ...(seen?.used !== undefined && { ':seen': seen.used }),
          },
        },
      ),
  };
};

interface Expressions {
  readonly set: string;
  readonly remove: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

const inNext = (_: Fingerprint, number: number): string => `rotation.#next.#${number}`;
