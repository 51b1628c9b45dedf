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

/** Between two looks for keys that are not there: strangers choose the `kid` of their tokens. */
const LOOK_AGAIN_SECONDS = MINUTE;

export interface KmsSigningKeys extends SigningKeys {
  list(keyId?: string): Promise<readonly SigningKey[]>;
  /** Reads the roles again at the next use. */
  forget(): void;
  /** The one that signs. */
  current(): Promise<{ readonly id: string; readonly key: SigningKey }>;
}

/**
 * The keys that sign and are published, by their roles, which every instance reads again every 15 seconds.
 * The public halves of all configured keys are fetched while the roles are read.
 *
 * @param keyOf - the key that has the role of one in the register; that one itself if omitted
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
    // Whoever needs one gets its failure.
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

  /** The same list as long as it holds the same keys, so that they need not be imported again. */
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

/** A clock that was set back makes what lies in the future count as long past. */
const isWithin = (now: EpochSeconds, from: EpochSeconds, seconds: number): boolean =>
  from <= now && now < from + seconds;
