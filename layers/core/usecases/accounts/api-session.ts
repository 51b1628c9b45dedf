import { bearerToken, checkSingle } from '../../domain/access/authorization.ts';
import { authorizationServer, management } from '../../domain/addresses.ts';
import { InvalidToken } from '../../domain/invalid-token.ts';
import {
  readJwt,
  readSession,
  SESSION_ALGORITHM,
  SESSION_TYPE,
  type SessionClaims,
} from '../../domain/jwt/index.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports, Settings } from '../../ports.ts';
import {
  endSession,
  findSession,
  type FindSessionPorts,
  startSession,
  type StartSessionPorts,
} from './sessions.ts';
import { type SignIn, signIn, type SignInPorts } from './sign-in.ts';

export type OpenApiSessionPorts = SignInPorts & StartSessionPorts & Pick<Ports, 'signer'>;

export interface ApiSession {
  /** A JWT. */
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

/**
 * Signs a program in to the management API.
 *
 * @throws ApiRefusal rate_limited, invalid_credentials
 *
 * Source: management-api.md; spec, "Authentication": an hour.
 */
export const openApiSession = async (
  ports: OpenApiSessionPorts,
  sent: SignIn,
): Promise<ApiSession> => {
  const user = await signIn(ports, sent);
  if (!user) throw new ApiRefusal('invalid_credentials', NOT_SIGNED_IN);
  const { id, createdAt, expiresAt } = await startSession(ports, user, 'api');
  const { issuer, audience } = partiesOf(ports.settings);
  const accessToken = await ports.signer.sign(SESSION_TYPE, {
    iss: issuer,
    aud: audience,
    sub: user.id,
    sid: id,
    iat: createdAt,
    exp: expiresAt,
  });
  return { accessToken, expiresInSeconds: expiresAt - createdAt };
};

const NOT_SIGNED_IN =
  'The e-mail address or the password is wrong, or the account cannot be used now.';

export type EndApiSessionPorts = FindSessionPorts &
  Pick<Ports, 'jwtSignatures' | 'settings' | 'signingKeys'>;

/**
 * Ends the session that a request comes with.
 *
 * @throws ApiRefusal invalid_session; RouterRefusal bad_request for two sets of credentials
 */
export const endApiSession = async (
  ports: EndApiSessionPorts,
  authorization: string | undefined,
): Promise<void> => {
  checkSingle(authorization);
  const { sid, sub } = await readOurs(ports, bearerToken(authorization) ?? '');
  const user = await findSession(ports, sid, 'api');
  if (user?.id !== sub) throw noSession('unknown or ended session');
  await endSession(ports, sid);
};

/** @throws ApiRefusal invalid_session */
const readOurs = async (ports: EndApiSessionPorts, token: string): Promise<SessionClaims> => {
  const { clock, jwtSignatures, settings, signingKeys } = ports;
  try {
    const claims = readSession(readJwt(token), { ...partiesOf(settings), now: clock.now() });
    await jwtSignatures.check(token, await signingKeys.list(), [SESSION_ALGORITHM]);
    return claims;
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    throw noSession(error.why);
  }
};

const partiesOf = ({ baseUrl }: Settings) => ({
  issuer: authorizationServer(baseUrl),
  audience: management(baseUrl),
});

const noSession = (why: string) =>
  new ApiRefusal('invalid_session', 'Sign in first: the session is unknown or has ended.', [], why);
