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
  /** What the browser or program was given when it last signed in to this account. */
  readonly deviceToken?: string | undefined;
  readonly sourceIp: string;
  readonly userAgent?: string | undefined;
}

export interface SignedIn {
  readonly user: User;
  /** When the account was read, whose password was right then; absent: it was chosen just now. */
  readonly asOf?: EpochSeconds;
  /** When their company is asked again; absent: it says nothing of them. */
  readonly until?: EpochSeconds | undefined;
  /** For the browser or program to send along the next time; a secret, worth nothing without the password. */
  readonly deviceToken: string;
}

/** How long a device stays known after a sign-in. */
export const KNOWN_DEVICE_SECONDS = 90 * DAY;

/** No user has this id. */
const NOBODY = 'nobody';

/**
 * Whom an e-mail and a password belong to. Whether the e-mail is unknown, the password wrong or
 * the account locked: the answer is the same, and so is the work, one scrypt above all.
 *
 * The failure is counted before the password is looked at and given back on success, so that no number of
 * sign-ins at once outruns the lock. Failures of a device that is known are its own: strangers never lock it.
 *
 * An address of a company that signs its people in is refused before all that. Where passwords are off, those that open
 * nothing any more are answered like wrong ones, after the same work.
 *
 * Who knows the password of somebody that a company has ended, or that it says nothing of just now, is answered like
 * anybody else. Where the company has to be asked, that takes longer, which tells that the password is right.
 *
 * @returns undefined for anything but an open account and its password, and for one that its company does not stand by
 * @throws ApiRefusal rate_limited, use_company_sign_in
 *
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
  // A company that has opened the account meanwhile has ended its password.
  if (standing?.as === 'good' && standing.user.passwordHash === hash && opened !== 'nothing') {
    const { user: entered, until } = standing;
    await passwordUsed(ports, opened, entered, { ...permit, sourceIp: sent.sourceIp });
    const deviceToken = await rememberedDevice(ports, entered, attempt);
    return { user: entered, until, asOf: now, deviceToken };
  }
  // Whoever has the right password guesses nothing: an outage locks nobody out.
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

/** A sign-in that counts as failed until it has succeeded. */
interface Attempt {
  /** Absent while locked: then nothing was counted. */
  readonly failed?: FailedLogins | undefined;
  /** Of a device that is known. */
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

/** A password reset forgets all devices. */
const isForgotten = ({ device }: Attempt, user: User | undefined): boolean =>
  device !== undefined && (!user || isSessionOver(user, device.createdAt));

/** @returns the token by which the device is known from now on */
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

/** Failures of strangers are theirs: a known device gives back only its own. */
const giveBack = async (ports: SignInPorts, user: User, { device }: Attempt): Promise<void> => {
  if (device) await rememberDevice(ports, user, device.token);
  else await afterwards(ports, 'failed sign-ins forgotten', () => ports.lockouts.reset(user.email));
};

/**
 * From now on strangers who guess the password of a user lock nobody out who has this device.
 *
 * @returns the token by which it is known
 */
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

/** In the same number of trips whether or not there is one. */
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
