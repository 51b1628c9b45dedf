import { MINTED_MAX_SECONDS } from '../../../tokens/rules/own-jwts.ts';
import {
  ROLES_CACHE_SECONDS,
  rotated,
  type SigningKeyRoles,
  unusedKeyId,
  withNext,
} from '../../../tokens/rules/signing-keys.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import type { TokensPorts } from '../../../tokens/ports.ts';

type RotateSigningKeyPorts = Pick<TokensPorts, 'clock' | 'signingKeyRegister'> & {
  readonly settings: LimitsSettings;
};

export type Rotation =
  /** The next key was published, now or before, and may sign from that time on. */
  | { readonly step: 'published' | 'waiting'; readonly signsFrom: EpochSeconds }
  /** The next key signs; the former stays published until its last token has expired. */
  | { readonly step: 'rotated'; readonly formerEndsAt: EpochSeconds };

/**
 * The next due step of a rotation: the new key is published, or it begins to sign. The time in between lets every
 * verifier read it.
 * @throws ApiRefusal limit_reached if every key has signed before; conflict if somebody else rotates
 * Source: docs/decisions/oauth.md, "Signing keys".
 */
export const rotateSigningKey = async (ports: RotateSigningKeyPorts): Promise<Rotation> => {
  const { clock, settings, signingKeyRegister } = ports;
  const { session_seconds, signing_key_notice_seconds: notice } = settings.limits;
  const now = clock.now();
  const roles = await signingKeyRegister.roles();
  const { next } = roles;
  if (!next) {
    await replace(ports, withNext(roles, unusedKey(ports, roles), now));
    return { step: 'published', signsFrom: now + notice };
  }
  const signsFrom = next.publishedAt + notice;
  if (now < signsFrom) return { step: 'waiting', signsFrom };
  const longest = Math.max(session_seconds, MINTED_MAX_SECONDS);
  const formerEndsAt = now + ROLES_CACHE_SECONDS + longest;
  await replace(ports, rotated(roles, next.keyId, formerEndsAt));
  return { step: 'rotated', formerEndsAt };
};

const unusedKey = (
  { signingKeyRegister: { keyIds } }: RotateSigningKeyPorts,
  roles: SigningKeyRoles,
): string => {
  const unused = unusedKeyId(roles, keyIds);
  if (unused !== undefined) return unused;
  throw new ApiRefusal(
    'limit_reached',
    'Every signing key has signed already. Add one to signing_keys in config/<stage>.json, deploy, and send this again.',
  );
};

const replace = async (
  { signingKeyRegister }: RotateSigningKeyPorts,
  roles: SigningKeyRoles,
): Promise<void> => {
  if (await signingKeyRegister.replace(roles)) return;
  throw new ApiRefusal('conflict', 'The signing key is being rotated at the same time; try again.');
};
