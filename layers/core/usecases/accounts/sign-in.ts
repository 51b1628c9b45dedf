import { beginsLock, isLocked } from '../../domain/access/lockout.ts';
import { addressSubject } from '../../domain/access/subject.ts';
import { canonicalEmail } from '../../domain/accounts/email.ts';
import type { User } from '../../domain/accounts/user.ts';
import type { Ports } from '../../ports.ts';
import { countRequest, type CountRequestPorts } from './count-request.ts';

export type SignInPorts = CountRequestPorts &
  Pick<Ports, 'events' | 'lockouts' | 'passwords' | 'users'>;

export interface SignIn {
  readonly email: string;
  readonly password: string;
  /** As the gateway saw it. */
  readonly sourceIp: string;
}

/** No user has this id. */
const NOBODY = 'nobody';

/**
 * Whom an e-mail and a password belong to. Whether the e-mail is unknown or unverified, the password
 * wrong or the account locked: the answer is the same, and so is the work, one scrypt above all.
 *
 * @returns undefined for anything but a verified, open account and its password
 * @throws ApiRefusal rate_limited
 *
 * Source: spec, "Account lockout"; D28, D37.
 */
export const signIn = async (ports: SignInPorts, sent: SignIn): Promise<User | undefined> => {
  const { clock, lockouts, passwords, users } = ports;
  await countRequest(ports, 'logins_per_minute_per_ip', sent.sourceIp);
  const now = clock.now();
  const email = canonicalEmail(sent.email);

  const [failed, user] = await Promise.all([lockouts.read(email), findByEmail(users, email)]);
  const locked = isLocked(failed, now);
  const matches = await passwords.verify(sent.password, user?.passwordHash);
  const why = reasonToRefuse(user, matches, locked);

  if (why === undefined) {
    if (failed) await lockouts.reset(email);
    return user;
  }
  // Attempts while locked do not count, so that nobody can be kept out for ever by others.
  const state = locked ? undefined : await lockouts.recordFailure(email, now);
  ports.events.record({
    type: 'security',
    event: state && beginsLock(state) ? 'account_locked' : 'login_failed',
    ...(user && { accountId: user.id }),
    subject: addressSubject(sent.sourceIp),
    why,
  });
  return undefined;
};

/** In the same number of trips whether or not there is one. */
const findByEmail = async (users: Ports['users'], email: string): Promise<User | undefined> =>
  (await users.findByEmail(email)) ?? users.find(NOBODY);

const reasonToRefuse = (
  user: User | undefined,
  matches: boolean,
  locked: boolean,
): string | undefined => {
  if (locked) return 'locked';
  if (!user) return 'unknown e-mail';
  if (!matches) return 'wrong password';
  return user.emailVerified ? undefined : 'e-mail not verified';
};
