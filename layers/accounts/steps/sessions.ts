import { isSessionEnded, type NotBefore } from '../../tokens/rules/not-before.ts';
import { InvalidToken } from '../../tokens/rules/authorization.ts';
import { beginning, isSessionOver } from '../rules/signed-out.ts';
import type { Session, User } from '../rules/user.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import { SESSION_TYPE, sessionClaims } from '../../tokens/rules/own-jwts.ts';
import type { AccountsPorts } from '../ports.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { PlatformSettings, PortsOf } from '../../platform/ports.ts';
import { readSessionToken } from './read-session-token.ts';

export type StartSessionPorts = Pick<AccountsPorts, 'clock' | 'random' | 'sessions' | 'signer'> & {
  readonly settings: PlatformSettings & LimitsSettings;
};

export interface StartedSession {
  readonly token: string;
  readonly expiresInSeconds: number;
  readonly session: LiveSession;
}

export interface SessionFacts {
  readonly until?: EpochSeconds | undefined;
  readonly userAgent?: string | undefined;
  /** When the account was read (default: now); whatever ends the account's sessions later ends this one, too. */
  readonly asOf?: EpochSeconds | undefined;
  readonly signedInAt?: EpochSeconds | undefined;
  readonly askedAnew?: boolean | undefined;
  readonly provider?: string | undefined;
}

const MAX_USER_AGENT = 200;

/**
 * Starts a session under a new id, which prevents session fixation.
 * Source: docs/decisions/accounts.md, "Sessions"; docs/protocol.md, "Login and consent pages".
 */
export const startSession = async (
  ports: StartSessionPorts,
  user: User,
  kind: Session['kind'],
  facts: SessionFacts = {},
): Promise<StartedSession> => {
  const { started, session } = newSession(ports, user, kind, facts);
  const [begun] = await Promise.all([
    started(),
    ports.sessions.put(session.fingerprint, session.record),
  ]);
  return begun;
};

/** Prepares a session for a transaction, without storing it. @returns `started`, which signs its token */
export const newSession = (
  { clock, random, settings, signer }: Omit<StartSessionPorts, 'sessions'>,
  user: User,
  kind: Session['kind'],
  { until = Infinity, asOf, userAgent, signedInAt, askedAnew, provider }: SessionFacts = {},
) => {
  const { baseUrl, limits } = settings;
  const readAt = asOf ?? clock.now();
  const createdAt = beginning(user, readAt);
  const expiresAt = Math.min(createdAt + limits.session_seconds, until);
  const record: Session = {
    kind,
    userId: user.id,
    email: user.email,
    createdAt,
    expiresAt,
    ...(userAgent && { userAgent: userAgent.slice(0, MAX_USER_AGENT) }),
    ...(signedInAt !== undefined && { signedInAt }),
    ...(askedAnew && { askedAnew }),
    ...(provider !== undefined && { provider }),
  };
  const id = random.secret();
  const named = fingerprint(id);
  const started = async (): Promise<StartedSession> => ({
    token: await signer.sign(SESSION_TYPE, sessionClaims(baseUrl, id, record)),
    expiresInSeconds: expiresAt - createdAt,
    session: {
      user,
      fingerprint: named,
      asOf: readAt,
      createdAt,
      signedInAt: signedInAt ?? createdAt,
      askedAnew: askedAnew ?? false,
      expiresAt,
      provider,
    },
  });
  return { started, session: { fingerprint: named, record } };
};

export type FindSessionPorts = PortsOf<typeof readSessionToken> &
  Pick<AccountsPorts, 'notBefore' | 'sessions' | 'users'>;

export interface LiveSession {
  readonly user: User;
  readonly fingerprint: Fingerprint;
  /** When the account was read: what this session begins is dated so, and ends with whatever ends the account later. */
  readonly asOf: EpochSeconds;
  readonly createdAt: EpochSeconds;
  /** Time of authentication; 0 if the provider sends no `auth_time`. */
  readonly signedInAt: EpochSeconds;
  readonly askedAnew: boolean;
  readonly expiresAt: EpochSeconds;
  readonly provider: string | undefined;
}

export interface BrowserSession extends LiveSession {
  /** Secret session id, as in the cookie's token. */
  readonly id: string;
}

/**
 * Live session of a token. Session and user are read in parallel, since the token names both, and both must match.
 * @throws InvalidToken unless the session is alive and of this kind, or issued the token for this kind
 */
export const expectSession = async (
  ports: FindSessionPorts,
  token: string,
  kind: Session['kind'],
): Promise<LiveSession & { readonly id?: string }> => {
  const { clock, notBefore, sessions, users } = ports;
  const { session: id, sid, sub } = await readSessionToken(ports, token, kind);
  const now = clock.now();
  const [session, user, ended] = await Promise.all([
    sessions.find(id),
    users.find(sub),
    notBefore.find(),
  ]);
  // A console token (no `sid`) must come from a browser session, and is for the management API only.
  const owner = sid === undefined && kind === 'api' ? 'browser' : kind;
  if (session?.kind !== owner || session.userId !== sub) throw new InvalidToken('unknown session');
  const live = living({ session, user, ended }, id, now);
  return { ...live, ...(sid !== undefined && { id: sid }) };
};

/** Session by fingerprint, for links and codes that it made and that end with it. @returns undefined if it has ended */
export const findMakingSession = async (
  { clock, notBefore, sessions, users }: Omit<FindSessionPorts, 'jwtSignatures' | 'signingKeys'>,
  id: Fingerprint,
): Promise<LiveSession | undefined> => {
  const now = clock.now();
  const [session, ended] = await Promise.all([sessions.find(id), notBefore.find()]);
  if (!session) return undefined;
  const user = await users.find(session.userId);
  try {
    return living({ session, user, ended }, id, now);
  } catch (error) {
    return undefinedIfInvalid(error);
  }
};

interface FoundSession {
  readonly session: Session;
  readonly user: User | undefined;
  readonly ended: NotBefore;
}

/** @param now - before session and user were read @throws InvalidToken */
const living = (
  {
    session: { createdAt, expiresAt, provider, signedInAt = createdAt, askedAnew = false },
    user,
    ended,
  }: FoundSession,
  fingerprint: Fingerprint,
  now: EpochSeconds,
): LiveSession => {
  if (now >= expiresAt) throw new InvalidToken('session expired');
  if (!user) throw new InvalidToken('unknown user');
  if (isSessionOver(user, createdAt)) throw new InvalidToken('signed out');
  if (isSessionEnded(ended, createdAt)) throw new InvalidToken('all sessions ended');
  return { user, fingerprint, asOf: now, createdAt, signedInAt, askedAnew, expiresAt, provider };
};

/** @returns the live session of a browser's cookie; undefined for any other token and for none */
export const findBrowserSession = async (
  ports: FindSessionPorts,
  token: string | undefined,
): Promise<BrowserSession | undefined> => {
  if (token === undefined) return undefined;
  const found = await expectSession(ports, token, 'browser').catch(undefinedIfInvalid);
  return found?.id === undefined ? undefined : { ...found, id: found.id };
};

/** Ends the session of this token. Tokens that this service did not sign are ignored. */
export const endBrowserSession = async (
  ports: PortsOf<typeof readSessionToken> & Pick<AccountsPorts, 'sessions'>,
  token: string | undefined,
): Promise<void> => {
  if (token === undefined) return;
  const claims = await readSessionToken(ports, token, 'browser').catch(undefinedIfInvalid);
  if (claims) await ports.sessions.end(claims.session);
};

const undefinedIfInvalid = (error: unknown): undefined => {
  if (!(error instanceof InvalidToken)) throw error;
};
