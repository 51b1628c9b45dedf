import { isSessionEnded } from '../../domain/access/not-before.ts';
import { InvalidToken } from '../../domain/access/invalid-token.ts';
import { beginning, isSignedOut } from '../../domain/accounts/signed-out.ts';
import type { Session, User } from '../../domain/accounts/user.ts';
import type { EpochSeconds } from '../../domain/time.ts';
import { type Fingerprint, fingerprint } from '../../domain/fingerprint.ts';
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
  readonly session: LiveSession;
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
  const named = fingerprint(id);
  const [token] = await Promise.all([
    signer.sign(SESSION_TYPE, sessionClaims(baseUrl, id, session)),
    sessions.put(named, session),
  ]);
  const expiresInSeconds = limits.session_seconds;
  return { token, expiresInSeconds, session: { user, fingerprint: named, expiresAt } };
};

export type FindSessionPorts = ReadSessionTokenPorts &
  Pick<Ports, 'notBefore' | 'sessions' | 'users'>;

export interface LiveSession {
  readonly user: User;
  readonly fingerprint: Fingerprint;
  readonly expiresAt: EpochSeconds;
}

/** One of a browser at the pages. */
export interface BrowserSession extends LiveSession {
  /** The secret that stands for the session. */
  readonly id: string;
}

/**
 * The session that a token stands for. One trip to the stores: the token says which session and which
 * user are meant, and both must agree.
 *
 * @throws InvalidToken unless the session lives and is of this kind, or has lent the token to this kind
 */
export const expectSession = async (
  ports: FindSessionPorts,
  token: string,
  kind: Session['kind'],
): Promise<LiveSession & { readonly id?: string }> => {
  const { clock, notBefore, sessions, users } = ports;
  const { session: id, sid, sub } = await readSessionToken(ports, token, kind);
  const [session, user, ended] = await Promise.all([
    sessions.find(id),
    users.find(sub),
    notBefore.find(),
  ]);
  // Browsers' sessions alone lend, and only what is for the management API.
  const owner = sid === undefined && kind === 'api' ? 'browser' : kind;
  if (session?.kind !== owner || session.userId !== sub) throw new InvalidToken('unknown session');
  if (clock.now() >= session.expiresAt) throw new InvalidToken('session expired');
  if (!user) throw new InvalidToken('unknown user');
  if (isSignedOut(user, session.createdAt)) throw new InvalidToken('signed out');
  if (isSessionEnded(ended, session.createdAt)) throw new InvalidToken('all sessions ended');
  const { expiresAt } = session;
  return { user, fingerprint: id, expiresAt, ...(sid !== undefined && { id: sid }) };
};

/** @returns the session that a browser's cookie stands for, if it lives; undefined for any other, and for none */
export const findBrowserSession = async (
  ports: FindSessionPorts,
  token: string | undefined,
): Promise<BrowserSession | undefined> => {
  if (token === undefined) return undefined;
  const found = await expectSession(ports, token, 'browser').catch(undefinedIfInvalid);
  return found?.id === undefined ? undefined : { ...found, id: found.id };
};

/** What comes with its token is nobody's any more. A token that is none of ours ends nothing. */
export const endBrowserSession = async (
  ports: ReadSessionTokenPorts & Pick<Ports, 'sessions'>,
  token: string | undefined,
): Promise<void> => {
  if (token === undefined) return;
  const claims = await readSessionToken(ports, token, 'browser').catch(undefinedIfInvalid);
  if (claims) await ports.sessions.end(claims.session);
};

const undefinedIfInvalid = (error: unknown): undefined => {
  if (!(error instanceof InvalidToken)) throw error;
};
