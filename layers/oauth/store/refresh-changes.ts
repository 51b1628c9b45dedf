import type { Fingerprint } from '../../platform/rules/fingerprint.ts';
import { replacedBy, type Rotation } from '../rules/tokens/rotation.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { AccessTokenRef } from '../../tokens/rules/token-records.ts';
import type { ShownRefreshToken } from '../rules/grants.ts';
import type { GrantState } from './grant-item.ts';

/** DynamoDB takes update expressions of 4 KB. */
const REPLACED_AT_ONCE = 100;

/** The updates of a grant for a refresh. Each holds only as long as the grant is as it was seen. */
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

  /** For one of the noted successors. */
  const advances = change(' AND attribute_exists(rotation.#next.#shown)', {
    set: ', rotation = :rotation',
    names: { '#next': 'next', '#shown': fingerprint },
    values: { ':rotation': rotation },
  });

  return {
    /** For a client that keeps its token. */
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
