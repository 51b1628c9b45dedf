import {
  publishedKeyIds,
  ROLES_CACHE_SECONDS,
  type SigningKeyRegister,
  type SigningKeyRoles,
  type SigningKeys,
} from '../rules/signing-keys.ts';
import { type EpochSeconds, MINUTE } from '../../platform/rules/time.ts';
import type { Clock } from '../../platform/system/clock.ts';
import type { Kms } from '../../platform/kms/client.ts';
import { kmsPublicKeys, type SigningKey } from './public-keys.ts';

/** Minimum time between two reads for unknown keys: strangers choose the `kid` of their tokens. */
const LOOK_AGAIN_SECONDS = MINUTE;

export interface KmsSigningKeys extends SigningKeys {
  list(keyId?: string): Promise<readonly SigningKey[]>;
  /** Makes the next use read the roles again. */
  forget(): void;
  current(): Promise<{ readonly id: string; readonly key: SigningKey }>;
}

/**
 * Signing and published keys by role; every instance reads the roles again after 15 seconds, and fetches the public
 * halves in parallel.
 * @param keyOf - maps a registered key to the key that is used in its role; by default itself
 */
export const kmsSigningKeys = (
  open: () => Promise<Kms>,
  register: Pick<SigningKeyRegister, 'keyIds' | 'roles'>,
  clock: Clock,
  keyOf: (registered: string) => string = (registered) => registered,
): KmsSigningKeys => {
  const publicKey = kmsPublicKeys(open);
  let known: { readonly roles: SigningKeyRoles; readonly since: EpochSeconds } | undefined;
  let loading: Promise<SigningKeyRoles> | undefined;
  let lookedAgainAt: EpochSeconds | undefined;
  let listed: { readonly ids: string; readonly keys: readonly SigningKey[] } | undefined;

  const read = async (): Promise<SigningKeyRoles> => {
    const since = clock.now();
    // Only warms the cache: whoever needs a key gets its failure.
    for (const id of register.keyIds) publicKey(keyOf(id)).catch(() => undefined);
    const roles = await register.roles();
    known = { roles, since };
    return roles;
  };
  const load = (): Promise<SigningKeyRoles> =>
    (loading ??= read().finally(() => {
      loading = undefined;
    }));
  const recall = async (): Promise<SigningKeyRoles> =>
    known && isWithin(clock.now(), known.since, ROLES_CACHE_SECONDS) ? known.roles : load();

  /** The same array for the same keys, so that they are not imported again. */
  const published = async (roles: SigningKeyRoles): Promise<readonly SigningKey[]> => {
    const ids = publishedKeyIds(roles, clock.now()).filter((id) => register.keyIds.includes(id));
    const keys = await Promise.all(ids.map((id) => publicKey(keyOf(id))));
    if (listed?.ids !== ids.join(' ')) listed = { ids: ids.join(' '), keys };
    return listed.keys;
  };

  return {
    list: async (keyId) => {
      const keys = await published(await recall());
      if (keyId === undefined || keys.some(({ kid }) => kid === keyId)) return keys;
      const now = clock.now();
      if (lookedAgainAt !== undefined && isWithin(now, lookedAgainAt, LOOK_AGAIN_SECONDS)) {
        return keys;
      }
      lookedAgainAt = now;
      return published(await load());
    },

    forget: () => {
      known = undefined;
    },

    current: async () => {
      const id = keyOf((await recall()).current);
      return { id, key: await publicKey(id) };
    },
  };
};

/** A time in the future, after the clock was set back, counts as long past. */
const isWithin = (now: EpochSeconds, from: EpochSeconds, seconds: number): boolean =>
  from <= now && now < from + seconds;
