import { InvalidToken } from '../../../tokens/rules/invalid-token.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { AccessToken } from '../../../tokens/rules/oauth-records.ts';

/**
 * Whether an access token opens a deployment now, as far as the token can tell.
 *
 * @param token - as it is stored, if it is
 * @throws InvalidToken
 *
 * Source: docs/protocol.md, "Bearer tokens".
 */
export const checkAccessToken = (
  token: AccessToken | undefined,
  deploymentId: string,
  now: EpochSeconds,
): AccessToken => {
  if (!token) throw new InvalidToken('unknown token');
  if (token.revoked) throw new InvalidToken('token revoked');
  if (now >= token.expiresAt) throw new InvalidToken('token expired');
  if (token.deploymentId !== deploymentId) throw new InvalidToken('token for another deployment');
  return token;
};
