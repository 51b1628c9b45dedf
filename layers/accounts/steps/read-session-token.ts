import type { Session } from '../rules/user.ts';
import { authorizationServer } from '../../platform/rules/addresses.ts';
import { readJwt } from '../../tokens/rules/jwt.ts';
import {
  readSession,
  SESSION_ALGORITHM,
  sessionAudience,
  type SessionClaims,
} from '../../tokens/rules/own-jwts.ts';
import type { PlatformSettings } from '../../platform/ports.ts';
import type { TokensPorts } from '../../tokens/ports.ts';

type ReadSessionTokenPorts = Pick<TokensPorts, 'clock' | 'jwtSignatures' | 'signingKeys'> & {
  readonly settings: PlatformSettings;
};

/**
 * Verifies a session token's signature, audience and times, so that forged tokens cost no read. Whether the session is
 * alive is checked elsewhere.
 * @throws InvalidToken
 */
export const readSessionToken = async (
  { clock, jwtSignatures, settings: { baseUrl }, signingKeys }: ReadSessionTokenPorts,
  token: string,
  kind: Session['kind'],
): Promise<SessionClaims> => {
  const jwt = readJwt(token);
  const claims = readSession(jwt, {
    issuer: authorizationServer(baseUrl),
    audience: sessionAudience(baseUrl, kind),
    now: clock.now(),
  });
  await jwtSignatures.check(token, await signingKeys.list(jwt.keyId), [SESSION_ALGORITHM]);
  return claims;
};
