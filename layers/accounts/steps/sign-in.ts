import { beginsLock, type FailedLogins } from '../rules/lockout.ts';
import { addressSubject } from '../../platform/rules/subject.ts';
import { canonicalEmail } from '../rules/email.ts';
import { type Opened, openedByPassword, permitToCheck } from '../rules/password-terms.ts';
import { beginning, isSessionOver } from '../rules/signed-out.ts';
import type { User } from '../rules/user.ts';
import { fingerprint } from '../../platform/rules/fingerprint.ts';
import { DAY, type EpochSeconds } from '../../platform/rules/time.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import type { AccountsPorts } from '../ports.ts';
import type { checkCompany } from './check-company.ts';
import { countRequest } from './count-request.ts';
import { passwordUsed } from './password-used.ts';
import type { PortsOf } from '../../platform/ports.ts';

type SignInPorts = PortsOf<typeof countRequest | typeof checkCompany | typeof passwordUsed> &
  Pick<AccountsPorts, 'knownDevices' | 'lockouts' | 'passwords' | 'passwordTerms'>;

export interface SignIn {
  readonly email: string;
  readonly password: string;
  /** Token from an earlier sign-in to this account, which marks a known device. */
  readonly deviceToken?: string | undefined;
  readonly sourceIp: string;
  readonly userAgent?: string | undefined;
}

export interface SignedIn {
  readonly user: User;
  /** When the account was read; absent: its password was chosen just now. */
  readonly asOf?: EpochSeconds;
  /** When the company must be asked again; absent: no company vouches for the account. */
  readonly until?: EpochSeconds | undefined;
  /** Token that the client sends at its next sign-in; useless without the password. */
  readonly deviceToken: string;
}

export const KNOWN_DEVICE_SECONDS = 90 * DAY;

const NOBODY = 'nobody';

/**
 * Checks e-mail and password. Unknown e-mail, wrong password and locked account get the same answer after the same
 * work, above all one scrypt, so that neither answer nor timing reveals which it was.
 *
 * The failure is counted before the password is checked and taken back on success, so that parallel attempts cannot
 * outrun the lock. Known devices have their own counter, so that strangers cannot lock them out.
 *
 * An address whose company signs it in is refused first. While passwords are off, accounts that no password opens are
 * answered like wrong passwords, after the same work.
 *
 * A correct password is answered like a wrong one where the company has ended the account or does not answer. If the
 * company must be asked, the answer takes longer, which reveals that the password is correct.
 *
 * @returns undefined unless the password opens the account and its company, if any, vouches for it
 * @throws ApiRefusal rate_limited, use_company_sign_in
 * Source: docs/decisions/accounts.md, "Lockout".
 */
export const signIn = async (ports: SignInPorts, sent: SignIn): Promise<SignedIn | undefined> => {
  const { clock, passwords, users } = ports;
  await countRequest(ports, 'logins_per_minute_per_ip', sent.sourceIp);
  const now = clock.now();
  const email = canonicalEmail(sent.email);
  const permit = permitToCheck(await ports.passwordTerms(email));

  const reserving = reserve(ports, { email, deviceToken: sent.deviceToken, now });
  const [reserved, user] = await Promise.all([reserving, findByEmail(users, email)]);
  const attempt = isForgotten(reserved, user)
    ? await reserve(ports, { email, deviceToken: undefined, now })
    : reserved;
  const hash = attempt.failed && user?.passwordHash;
  const matches = await passwords.verify(permit, sent.password, hash);

  const isRight = user !== undefined && matches && attempt.failed !== undefined;
  const opened = isRight ? openedByPassword(permit.terms, user) : 'nothing';
  const standing =
    isRight && opened !== 'nothing' ? await ports.standings.of(user, 'program') : undefined;
  // The password hash is compared again: a company sign-in that opened the account meanwhile has replaced it.
  if (standing?.as === 'good' && standing.user.passwordHash === hash && opened !== 'nothing') {
    const { user: entered, until } = standing;
    await passwordUsed(ports, opened, entered, { ...permit, sourceIp: sent.sourceIp });
    const deviceToken = await rememberedDevice(ports, entered, attempt);
    return { user: entered, until, asOf: now, deviceToken };
  }
  // A correct password is no guess: while the company does not answer, it must not count towards the lock.
  const isUnheard = isRight && standing?.as === 'unavailable';
  if (isUnheard) await giveBack(ports, user, attempt);
  const isLocked = !isUnheard && attempt.failed && beginsLock(attempt.failed);
  ports.events.record({
    type: 'security',
    event: isLocked ? 'account_locked' : 'login_failed',
    ...(user && { accountId: user.id }),
    subject: addressSubject(sent.sourceIp),
    why: reasonToRefuse(user, attempt, { isRight, opened }),
  });
  return undefined;
};

/** A sign-in attempt that counts as failed until it succeeds. */
interface Attempt {
  /** Absent while locked; then nothing was counted. */
  readonly failed?: FailedLogins | undefined;
  readonly device?: { readonly token: string; readonly createdAt: EpochSeconds };
}

const reserve = async (
  { knownDevices, lockouts }: Pick<AccountsPorts, 'knownDevices' | 'lockouts'>,
  {
    email,
    deviceToken: token,
    now,
  }: { readonly email: string; readonly deviceToken: string | undefined; readonly now: number },
): Promise<Attempt> => {
  const known =
    token === undefined ? undefined : await knownDevices.reserve(fingerprint(token), email, now);
  if (token === undefined || !known) return { failed: await lockouts.reserve(email, now) };
  return { failed: known.failed, device: { token, createdAt: known.createdAt } };
};

/** A password reset or the end of all sessions invalidates known devices. */
const isForgotten = ({ device }: Attempt, user: User | undefined): boolean =>
  device !== undefined && (!user || isSessionOver(user, device.createdAt));

const rememberedDevice = async (
  ports: SignInPorts,
  user: User,
  attempt: Attempt,
): Promise<string> => {
  const [token] = await Promise.all([
    rememberDevice(ports, user, attempt.device?.token),
    !attempt.device && giveBack(ports, user, attempt),
  ]);
  return token;
};

/** A known device takes back its own failures only, not those of strangers. */
const giveBack = async (ports: SignInPorts, user: User, { device }: Attempt): Promise<void> => {
  if (device) await rememberDevice(ports, user, device.token);
  else await afterwards(ports, 'failed sign-ins forgotten', () => ports.lockouts.reset(user.email));
};

/** Makes the client a known device, which strangers cannot lock out. @returns the token that identifies it */
export const rememberDevice = async (
  ports: Pick<SignInPorts, 'clock' | 'knownDevices' | 'log' | 'random'>,
  user: User,
  token = ports.random.secret(),
): Promise<string> => {
  const { clock, knownDevices } = ports;
  const createdAt = beginning(user, clock.now());
  const known = { email: user.email, createdAt, expiresAt: createdAt + KNOWN_DEVICE_SECONDS };
  await afterwards(ports, 'the device of a sign-in', () =>
    knownDevices.remember(fingerprint(token), known),
  );
  return token;
};

/** Always two reads, so that the timing does not reveal whether the account exists. */
const findByEmail = async (
  users: AccountsPorts['users'],
  email: string,
): Promise<User | undefined> => (await users.findByEmail(email)) ?? users.find(NOBODY);

const reasonToRefuse = (
  user: User | undefined,
  { failed }: Attempt,
  { isRight, opened }: { readonly isRight: boolean; readonly opened: Opened },
): string => {
  if (!failed) return 'locked';
  if (isRight) {
    return opened === 'nothing' ? 'passwords are refused' : 'their company does not stand by them';
  }
  return user ? 'wrong password' : 'unknown e-mail';
};
