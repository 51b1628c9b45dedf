import { authorizationServer, management } from '../../domain/addresses.ts';
import { SESSION_TYPE } from '../../domain/jwt/index.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import { requireSessionOf, type RequireSessionPorts } from './require-session.ts';
import { endSession, startSession, type StartSessionPorts } from './sessions.ts';
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
  const { baseUrl } = ports.settings;
  const accessToken = await ports.signer.sign(SESSION_TYPE, {
    iss: authorizationServer(baseUrl),
    aud: management(baseUrl),
    sub: user.id,
    sid: id,
    iat: createdAt,
    exp: expiresAt,
  });
  return { accessToken, expiresInSeconds: expiresAt - createdAt };
};

const NOT_SIGNED_IN =
  'The e-mail address or the password is wrong, or the account cannot be used now.';

export type EndApiSessionPorts = RequireSessionPorts;

/**
 * Ends the session that a request comes with.
 *
 * @throws ApiRefusal invalid_session; RouterRefusal bad_request for two sets of credentials
 */
export const endApiSession = async (
  ports: EndApiSessionPorts,
  authorization: string | undefined,
): Promise<void> => {
  const { sid } = await requireSessionOf(ports, authorization);
  await endSession(ports, sid);
};
