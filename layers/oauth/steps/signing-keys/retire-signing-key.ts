import { retired, ROLES_CACHE_SECONDS, unusedKeyId } from '../../../tokens/rules/signing-keys.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { TokensPorts } from '../../../tokens/ports.ts';

/**
 * Distrusts the current signing key and those before it, which may be compromised; another key signs at once. All
 * sessions and minted tokens end.
 * @returns from when no instance accepts the key any more
 * @throws ApiRefusal limit_reached if every key has signed before; conflict if somebody else rotates
 * Source: docs/decisions/oauth.md, "Signing keys", "Ending everything at once".
 */
export const retireSigningKey = async ({
  clock,
  log,
  signingKeyRegister,
}: Pick<TokensPorts, 'clock' | 'log' | 'signingKeyRegister'>): Promise<{
  readonly refusedFrom: EpochSeconds;
}> => {
  const now = clock.now();
  const roles = await signingKeyRegister.roles();
  const successor = roles.next?.keyId ?? unusedKeyId(roles, signingKeyRegister.keyIds);
  if (successor === undefined) {
    throw new ApiRefusal(
      'limit_reached',
      'Every signing key has signed already. Add one to signing_keys in config/<stage>.json, deploy, and send this again. Until then end all sessions and all tokens: a JWT is worth nothing without what is stored of it.',
    );
  }
  const next = retired(roles, successor, now);
  if (!(await signingKeyRegister.replace(next))) {
    throw new ApiRefusal(
      'conflict',
      'The signing key is being rotated at the same time; try again.',
    );
  }
  log.write({ message: 'signing_key_retired', revision: next.revision });
  return { refusedFrom: now + ROLES_CACHE_SECONDS };
};
