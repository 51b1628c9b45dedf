import { isSessionEnded } from '../../domain/access/not-before.ts';
import { InvalidToken } from '../../domain/access/invalid-token.ts';
import { beginning, isSignedOut } from '../../domain/accounts/signed-out.ts';
import type { Session, User } from '../../domain/accounts/user.ts';
import { fingerprint } from '../../domain/fingerprint.ts';
import { SESSION_TYPE, sessionClaims } from '../../domain/jwt/index.ts';
import type { Ports } from '../../ports.ts';
import { readSessionToken, type ReadSessionTokenPorts } from './read-session-token.ts';

export type StartSessionPorts = Pick<
  Ports,
  'clock' | 'random' | 'sessions' | 'settings' | 'signer'
>;

export interface StartedSession {
  /** A JWT; kept by whoever signed in and nowhere else. */
  readonly token: string;
  readonly expiresInSeconds: number;
}

/**
 * Begins a session under a new id, whatever the browser had before.
 * Source: docs/decisions.md, "Sessions"; docs/protocol.md, "Login and consent pages".
 */
export const startSession = async (
  { clock, random, sessions, settings, signer }: StartSessionPorts,
  user: User,
  kind: Session['kind'],
): Promise<StartedSession> => {
  const { baseUrl, limits } = settings;
  const createdAt = beginning(user, clock.now());
  const expiresAt = createdAt + limits.session_seconds;
  const session = { kind, userId: user.id, email: user.email, createdAt, expiresAt };
  const id = random.secret();
  const [token] = await Promise.all([
    signer.sign(SESSION_TYPE, sessionClaims(baseUrl, id, session)),
    sessions.put(fingerprint(id), session),
  ]);
  return { token, expiresInSeconds: limits.session_seconds };
};

export type FindSessionPorts = ReadSessionTokenPorts &
  Pick<Ports, 'notBefore' | 'sessions' | 'users'>;

export interface LiveSession {
  readonly user: User;
  /** The secret that stands for the session. */
  readonly id: string;
}

/**
 * The session that a token stands for. One trip to the stores: the token says which session and which
 * user are meant, and both must agree.
 *
 * @throws InvalidToken unless the session lives and is of this kind
 */
export const expectSession = async (
  ports: FindSessionPorts,
  token: string,
  kind: Session['kind'],
): Promise<LiveSession> => {
  const { clock, notBefore, sessions, users } = ports;
  const { sid, sub } = await readSessionToken(ports, token, kind);
  const [session, user, ended] = await Promise.all([
    sessions.find(fingerprint(sid)),
    users.find(sub),
    notBefore.find(),
  ]);
  if (session?.kind !== kind || session.userId !== sub) throw new InvalidToken('unknown session');
  if (clock.now() >= session.expiresAt) throw new InvalidToken('session expired');
  if (!user) throw new InvalidToken('unknown user');
  if (isSignedOut(user, session.createdAt)) throw new InvalidToken('signed out');
  if (isSessionEnded(ended, session.createdAt)) throw new InvalidToken('all sessions ended');
  return { user, id: sid };
};

/** @returns the session that a browser's cookie stands for, if it lives; undefined for any other, and for none */
export const findBrowserSession = async (
  ports: FindSessionPorts,
  token: string | undefined,
): Promise<LiveSession | undefined> =>
  token === undefined
    ? undefined
    : expectSession(ports, token, 'browser').catch(undefinedIfInvalid);

/** What comes with its token is nobody's any more. A token that is none of ours ends nothing. */
export const endBrowserSession = async (
  ports: ReadSessionTokenPorts & Pick<Ports, 'sessions'>,
  token: string | undefined,
): Promise<void> => {
  if (token === undefined) return;
  const claims = await readSessionToken(ports, token, 'browser').catch(undefinedIfInvalid);
  if (claims) await ports.sessions.end(fingerprint(claims.sid));
};

const undefinedIfInvalid = (error: unknown): undefined => {
  if (!(error instanceof InvalidToken)) throw error;
};
