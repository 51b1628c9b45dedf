import { bearerToken, checkSingle, InvalidToken } from '../../tokens/rules/authorization.ts';
import { expectSession, type FindSessionPorts, type LiveSession } from './sessions.ts';
import { checkCompany, notStoodBy } from './check-company.ts';
import { isSessionEnded } from '../../tokens/rules/not-before.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import { dayOf } from '../../platform/rules/time.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import type { AccountsPorts } from '../ports.ts';
import {
  idOfToken,
  isOfItsKind,
  isPersonalToken,
  type PersonalToken,
} from '../rules/personal-token.ts';
import { isSignedOut } from '../rules/signed-out.ts';
import type { User } from '../rules/user.ts';
import type { PortsOf } from '../../platform/ports.ts';

/**
 * User of a request to the management API, by bearer token only: a cookie would allow CSRF.
 * @throws ApiRefusal invalid_session; RouterRefusal bad_request for two sets of credentials
 * Source: docs/decisions/accounts.md, "Sessions".
 */
export const requireSession = async (
  ports: FindSessionPorts,
  authorization: string | undefined,
): Promise<User> => (await requireSessionOf(ports, authorization)).user;

export const requireSessionOf = async (
  ports: FindSessionPorts,
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

type RequireCallerPorts = FindSessionPorts &
  PortsOf<typeof checkCompany> &
  Pick<AccountsPorts, 'clock' | 'log' | 'notBefore' | 'personalTokens' | 'trusts' | 'users'>;

export type Caller =
  | { readonly user: User; readonly session?: SessionTimes; readonly token?: undefined }
  | { readonly user: User; readonly token: PersonalToken };

/** When the account of a session was read, and when its user authenticated. */
export type SessionTimes = Pick<LiveSession, 'asOf' | 'signedInAt'>;

/**
 * @throws ApiRefusal invalid_session, temporarily_unavailable; RouterRefusal bad_request for two sets of credentials
 * Source: docs/decisions/accounts.md, "Sessions", "Personal access tokens".
 */
export const requireCaller = async (
  ports: RequireCallerPorts,
  authorization: string | undefined,
): Promise<Caller> => {
  checkSingle(authorization);
  const text = bearerToken(authorization);
  if (text !== undefined && isPersonalToken(text)) return ofToken(ports, text);
  const { user, ...session } = await requireSessionOf(ports, authorization);
  return { user, session };
};

const ofToken = async (ports: RequireCallerPorts, text: string): Promise<Caller> => {
  const { clock, notBefore, personalTokens, trusts, users } = ports;
  const id = idOfToken(text);
  if (id === undefined) throw noToken('mistyped', 'is mistyped or cut off: copy it again.');
  const [token, ended] = await Promise.all([personalTokens.find(id), notBefore.find()]);
  if (!token) throw noToken('unknown token');
  const { userId, createdAt, expiresAt } = token;
  if (clock.now() >= expiresAt) throw noToken('token expired', 'has expired: make a new one.');
  if (!isOfItsKind(id, token, clock.now())) throw noToken('holds longer than it may');
  const user = await users.find(userId);
  if (!user) throw noToken('unknown user');
  if (isSignedOut(user, createdAt)) throw noToken('signed out');
  if (isSessionEnded(ended, createdAt)) throw noToken('all sessions ended');
  const { user: current } = await checkCompany(
    ports,
    user,
    token.trust ? 'machine' : 'program',
    notStoodBy,
  );
  const today = dayOf(clock.now());
  if (token.usedOn !== today) {
    await afterwards(ports, 'the day of use of a token for programs', () =>
      Promise.all([
        personalTokens.used(id, today),
        token.trust !== undefined && trusts.used(token.trust, today),
      ]),
    );
  }
  return { user: current, token };
};

/** May say that a token has expired, since only its holder can get this answer. */
const noToken = (why: string, what = 'is unknown here or was ended: make a new one.') =>
  new ApiRefusal('invalid_session', `The personal access token ${what}`, [], why);
