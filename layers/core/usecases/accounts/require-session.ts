import { bearerToken, checkSingle } from '../../domain/access/authorization.ts';
import { isSignedOut } from '../../domain/accounts/signed-out.ts';
import type { User } from '../../domain/accounts/user.ts';
import { authorizationServer, management } from '../../domain/addresses.ts';
import { InvalidToken } from '../../domain/invalid-token.ts';
import {
  readJwt,
  readSession,
  SESSION_ALGORITHM,
  type SessionClaims,
} from '../../domain/jwt/index.ts';
import { fingerprint } from '../../domain/oauth/records.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';

export type ReadSessionPorts = Pick<Ports, 'clock' | 'jwtSignatures' | 'settings' | 'signingKeys'>;

export type RequireSessionPorts = ReadSessionPorts & Pick<Ports, 'sessions' | 'users'>;

/**
 * Whose session a request to the management API comes with. One trip to the stores: the token says
 * which session and which user are meant, and both must agree.
 *
 * @throws ApiRefusal invalid_session; RouterRefusal bad_request for two sets of credentials
 *
 * Source: management-api.md; D14.
 */
export const requireSession = async (
  ports: RequireSessionPorts,
  authorization: string | undefined,
): Promise<User> => (await requireSessionOf(ports, authorization)).user;

/** The same, with the secret that stands for the session, for who is to end it. */
export const requireSessionOf = async (
  ports: RequireSessionPorts,
  authorization: string | undefined,
): Promise<{ readonly user: User; readonly sid: string }> => {
  const { sid, sub } = await readSessionToken(ports, authorization);
  const [session, user] = await Promise.all([
    ports.sessions.find(fingerprint(sid)),
    ports.users.find(sub),
  ]);
  if (session?.kind !== 'api' || session.userId !== sub) throw noSession('unknown session');
  if (ports.clock.now() >= session.expiresAt) throw noSession('session expired');
  if (!user) throw noSession('unknown user');
  if (isSignedOut(user, session.createdAt)) throw noSession('signed out');
  return { user, sid };
};

/** @throws ApiRefusal invalid_session; RouterRefusal bad_request for two sets of credentials */
const readSessionToken = async (
  { clock, jwtSignatures, settings, signingKeys }: ReadSessionPorts,
  authorization: string | undefined,
): Promise<SessionClaims> => {
  checkSingle(authorization);
  const token = bearerToken(authorization);
  if (token === undefined) throw noSession('no session token');
  try {
    const claims = readSession(readJwt(token), {
      issuer: authorizationServer(settings.baseUrl),
      audience: management(settings.baseUrl),
      now: clock.now(),
    });
    await jwtSignatures.check(token, await signingKeys.list(), [SESSION_ALGORITHM]);
    return claims;
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    throw noSession(error.why);
  }
};

const noSession = (why: string) =>
  new ApiRefusal('invalid_session', 'Sign in first: the session is unknown or has ended.', [], why);
