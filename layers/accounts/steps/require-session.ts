import { bearerToken, checkSingle, InvalidToken } from '../../tokens/rules/authorization.ts';
import type { User } from '../rules/user.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { expectSession, type FindSessionPorts, type LiveSession } from './sessions.ts';

export type RequireSessionPorts = FindSessionPorts;

/**
 * Whose session a request to the management API comes with: a bearer token alone, never a cookie.
 *
 * @throws ApiRefusal invalid_session; RouterRefusal bad_request for two sets of credentials
 *
 * Source: docs/decisions/accounts.md, "Sessions".
 */
export const requireSession = async (
  ports: RequireSessionPorts,
  authorization: string | undefined,
): Promise<User> => (await requireSessionOf(ports, authorization)).user;

/** The same, with the session, for who is to end it. */
export const requireSessionOf = async (
  ports: RequireSessionPorts,
  authorization: string | undefined,
): Promise<LiveSession & { readonly id?: string }> => {
  checkSingle(authorization);
  const token = bearerToken(authorization);
  if (token === undefined) throw noSession('no session token');
  try {
    return await expectSession(ports, token, 'api');
  } catch (error) {
    if (!(error instanceof InvalidToken)) throw error;
    throw noSession(error.why);
  }
};

const noSession = (why: string) =>
  new ApiRefusal('invalid_session', 'Sign in first: the session is unknown or has ended.', [], why);
