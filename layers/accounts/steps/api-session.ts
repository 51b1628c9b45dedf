import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { requireSessionOf } from './require-session.ts';
import { type FindSessionPorts, startSession, type StartSessionPorts } from './sessions.ts';
import { type SignIn, signIn } from './sign-in.ts';
import type { PortsOf } from '../../platform/ports.ts';

export interface ApiSession {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly deviceToken: string;
}

/**
 * Signs a program in to the management API.
 * @throws ApiRefusal rate_limited, invalid_credentials, use_company_sign_in
 * Source: docs/decisions/accounts.md, "Sessions".
 */
export const openApiSession = async (
  ports: PortsOf<typeof signIn> & StartSessionPorts,
  sent: SignIn,
): Promise<ApiSession> => {
  const signedIn = await signIn(ports, sent);
  if (!signedIn) throw new ApiRefusal('invalid_credentials', NOT_SIGNED_IN);
  const { user, until, asOf, deviceToken } = signedIn;
  const { token: accessToken, expiresInSeconds } = await startSession(ports, user, 'api', {
    userAgent: sent.userAgent,
    until,
    asOf,
  });
  return { accessToken, expiresInSeconds, deviceToken };
};

export const NOT_SIGNED_IN =
  'The e-mail address or the password is wrong, or the account cannot be used now.';

/**
 * Ends the session of a request; for a console token, the browser session that issued it.
 * @throws ApiRefusal invalid_session; RouterRefusal bad_request for two sets of credentials
 */
export const endApiSession = async (
  ports: FindSessionPorts,
  authorization: string | undefined,
): Promise<void> => {
  const { fingerprint } = await requireSessionOf(ports, authorization);
  await ports.sessions.end(fingerprint);
};
