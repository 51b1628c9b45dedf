import { beginning, isSignedOut } from '../../domain/accounts/signed-out.ts';
import type { Session, User } from '../../domain/accounts/user.ts';
import { fingerprint } from '../../domain/oauth/records.ts';
import type { Ports } from '../../ports.ts';

export type StartSessionPorts = Pick<Ports, 'clock' | 'mint' | 'sessions' | 'settings'>;

export interface StartedSession extends Session {
  /** The secret that stands for it; kept by whoever signed in and nowhere else. */
  readonly id: string;
}

/** Begins a session under a new id, whatever the browser had before. Source: A5. */
export const startSession = async (
  { clock, mint, sessions, settings }: StartSessionPorts,
  user: User,
  kind: Session['kind'],
): Promise<StartedSession> => {
  const createdAt = beginning(user, clock.now());
  const expiresAt = createdAt + settings.limits.session_seconds;
  const session = { kind, userId: user.id, createdAt, expiresAt };
  const id = mint.secret();
  await sessions.put(fingerprint(id), session);
  return { id, ...session };
};

export type FindSessionPorts = Pick<Ports, 'clock' | 'sessions' | 'users'>;

/** @returns the user of a session that lives; undefined for any other, and for none */
export const findSession = async (
  { clock, sessions, users }: FindSessionPorts,
  id: string | undefined,
  kind: Session['kind'],
): Promise<User | undefined> => {
  if (id === undefined) return undefined;
  const session = await sessions.find(fingerprint(id));
  if (session?.kind !== kind || clock.now() >= session.expiresAt) return undefined;
  const user = await users.find(session.userId);
  return user && !isSignedOut(user, session.createdAt) ? user : undefined;
};

/** What comes with its id is nobody's any more. */
export const endSession = async (
  { sessions }: Pick<Ports, 'sessions'>,
  id: string | undefined,
): Promise<void> => {
  if (id !== undefined) await sessions.end(fingerprint(id));
};
