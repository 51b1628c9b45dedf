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
  /** A JWT; kept by whoever signed in and nowhere else. */
  readonly token: string;
  readonly expiresInSeconds: number;
  readonly session: LiveSession;
}

export interface SessionFacts {
  readonly until?: EpochSeconds | undefined;
  readonly userAgent?: string | undefined;
  /** When the account was read: a session that begins from it ends with what is ended after that. Now if absent. */
  readonly asOf?: EpochSeconds | undefined;
  /** As the session has it. */
  readonly signedInAt?: EpochSeconds | undefined;
  readonly askedAnew?: boolean | undefined;
  readonly provider?: string | undefined;
}

/** Characters. */
const MAX_USER_AGENT = 200;

/**
 * Begins a session under a new id, whatever the browser had before.
 *
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

/**
 * A session that nothing holds yet, for who commits it with what buys it.
 *
 * @returns `started` signs its token
 */
export const newSession = (
  { clock, random, settings, signer }: Omit<StartSessionPorts, 'sessions'>,
  user: User,
  kind: Session['kind'],
  { until = Infinity, asOf, userAgent, signedInAt, askedAnew, provider }: SessionFacts = {},
) => {
  const { baseUrl, limits } = settings;
  const createdAt = beginning(user, asOf ?? clock.now());
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
  readonly createdAt: EpochSeconds;
  /** When its user has shown who they are; 0 where nobody says when. */
  readonly signedInAt: EpochSeconds;
  /** As the session has it. */
  readonly askedAnew: boolean;
  readonly expiresAt: EpochSeconds;
  /** The id of the identity provider that has signed them in. */
  readonly provider: string | undefined;
}

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
  const live = living({ session, user, ended }, id, clock.now());
  return { ...live, ...(sid !== undefined && { id: sid }) };
};

/**
 * A session by its fingerprint alone, for what it has made and is to end with it.
 *
 * @returns undefined if it has ended
 */
export const findMakingSession = async (
  { clock, notBefore, sessions, users }: Omit<FindSessionPorts, 'jwtSignatures' | 'signingKeys'>,
  id: Fingerprint,
): Promise<LiveSession | undefined> => {
  const [session, ended] = await Promise.all([sessions.find(id), notBefore.find()]);
  if (!session) return undefined;
  const user = await users.find(session.userId);
  try {
    return living({ session, user, ended }, id, clock.now());
  } catch (error) {
    return undefinedIfInvalid(error);
  }
};

interface FoundSession {
  readonly session: Session;
  readonly user: User | undefined;
  readonly ended: NotBefore;
}

/** @throws InvalidToken */
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
  return { user, fingerprint, createdAt, signedInAt, askedAnew, expiresAt, provider };
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
