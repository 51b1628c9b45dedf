import { accountEvent } from '../../events/rules/service-event.ts';
import type { AccountsPorts, AccountsSettings } from '../../accounts/ports.ts';
import { isEnded, vouchedFor, vouchedIdentities } from '../../accounts/rules/standing.ts';
import type { User, UserIdentity } from '../../accounts/rules/user.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import { InvalidToken } from '../../tokens/rules/authorization.ts';
import {
  accountFor,
  type Decision,
  hasSignedIn,
  identityOf,
  isOutdated,
  mayLinkOperator,
  opensOperator,
  type Subject,
  takenOver,
  withAddress,
  withIdentity,
} from '../rules/linking.ts';
import type { IdentityProvider } from '../rules/providers.ts';
import { companyTermsOf, signsIn } from '../rules/sign-in.ts';
import type { VouchedEmail } from '../rules/vouched-email.ts';

export type KnownUserPorts = Pick<
  AccountsPorts,
  'clock' | 'events' | 'operatorMarks' | 'passwords' | 'random' | 'users'
> & {
  readonly settings: Pick<AccountsSettings, 'newAccountPlan'>;
};

export interface Person {
  readonly provider: IdentityProvider;
  readonly subject: Subject;
  readonly vouched: VouchedEmail;
  readonly issuedAt?: EpochSeconds;
  /** Whether the provider can be asked without the user; of a sign-in only. */
  readonly checkable?: boolean | undefined;
}

/** Parallel first requests of one person conflict; all but one retry. */
const ATTEMPTS = 4;

/**
 * Account of the person that a provider identifies: the one linked to the subject, whatever its address is now. A new
 * subject is linked permanently to the account of its address, or gets a new account.
 * @param admit - called with the resulting account before anything is written, so that a refused request changes
 *   nothing
 * @throws InvalidToken if there is no such account
 * Source: draft-ietf-oauth-identity-assertion-authz-grant §6; docs/access.md, "Whose account it is".
 */
export const knownUser = async (
  ports: KnownUserPorts,
  person: Person,
  admit: Way['admit'] = anybody,
): Promise<User> => (await accountOf(ports, person, byAssertion(ports, person, admit))).user;

export interface SignedInUser {
  readonly user: User;
  /** Whether the account's password and sessions were just ended. */
  readonly isTakenOver: boolean;
}

/**
 * Account of a person who has signed in at the provider interactively. The first such sign-in ends the account's
 * password and sessions, but not tokens of programs. An operator's account is refused, unless an operator has allowed
 * the company to sign in to it.
 * @throws InvalidToken if there is no such account, or it is an operator's
 * Source: docs/access.md, "Whose account it is".
 */
export const signedInUser = async (
  ports: KnownUserPorts &
    Pick<AccountsPorts, 'log' | 'mailRequests' | 'operatorMarks' | 'sessions'>,
  person: Person,
): Promise<SignedInUser> => {
  const found = await accountOf(ports, person, atSignIn(ports, person));
  // The stored `sessionsEndedAt` refuses these sessions already; deleting them covers the router too, which reads no
  // users.
  if (found.isTakenOver) {
    await afterwards(ports, 'sessions from before a company', () => endSessions(ports, found.user));
    await afterwards(ports, 'a mail of an account that a company has opened', () =>
      ports.mailRequests.send({
        id: ports.random.id(),
        purpose: 'opened_by_company',
        email: found.user.email,
        company: person.provider.name,
      }),
    );
  }
  return found;
};

/** Rules that differ between assertions and interactive sign-ins. */
interface Way {
  /** Whether this ends the account's password and sessions: at its first sign-in of this kind. */
  readonly takesOver: (user: User) => boolean;
  /** @throws InvalidToken for an account that must not be entered this way */
  readonly check: (user: User) => Promise<void>;
  /** Called before an account is written. @throws InvalidToken to prevent that */
  readonly admit: (user: User) => Promise<void>;
  readonly identity: UserIdentity;
  /** Changes an account that the subject was not linked to. */
  readonly first: (user: User) => User;
  /** Changes a linked account; returns the same object if nothing changes. */
  readonly again: (user: User) => User;
}

const anybody = () => Promise.resolve();

/** Time of the provider's statement: now for a sign-in, the issue time for an assertion, but never in the future. */
const saidAt = (
  { clock }: Pick<KnownUserPorts, 'clock'>,
  { issuedAt = Infinity }: Pick<Person, 'issuedAt'>,
): EpochSeconds => Math.min(clock.now(), issuedAt);

const byAssertion = (
  ports: Pick<KnownUserPorts, 'clock'>,
  person: Person,
  admit: Way['admit'],
): Way => {
  const { provider, subject } = person;
  const said = { provider, subject, at: saidAt(ports, person) };
  const identity = { ...identityOf(subject), addressAt: said.at };
  return {
    takesOver: () => false,
    check: anybody,
    admit,
    identity,
    first: (user) => withIdentity(user, identity),
    again: (user) => vouchedBy(user, said),
  };
};

interface Said extends Pick<Person, 'provider' | 'subject'> {
  readonly at: EpochSeconds;
}

/** An assertion counts as an answer to a due check as of its issue time, so that an old one cannot undo an ending. */
const vouchedBy = (user: User, { provider, subject, at }: Said): User => {
  if (!signsIn(provider)) return user;
  const { recheckSeconds } = companyTermsOf(provider);
  const isOf = (one: UserIdentity): boolean => one.subject === subject.subject;
  const isDue = vouchedIdentities(user).some(
    (one) =>
      isOf(one) &&
      (one.endedAt === undefined ? at >= one.checkedAt + recheckSeconds / 2 : at >= one.endedAt),
  );
  return isDue ? vouchedFor(user, isOf, at) : user;
};

const atSignIn = (
  {
    clock,
    operatorMarks,
    passwords,
  }: Pick<KnownUserPorts, 'clock' | 'passwords'> & Pick<AccountsPorts, 'operatorMarks'>,
  { subject, checkable }: Person,
): Way => {
  const now = clock.now();
  const identity: UserIdentity = {
    ...identityOf(subject),
    signedIn: true,
    checkedAt: now,
    lastSignIn: now,
    ...(checkable && { checkable }),
  };
  const takesOver = (user: User): boolean =>
    !hasSignedIn(user, identity) || mayLinkOperator(user, identity, now);
  const first = (user: User): User =>
    takenOver(user, identity, { now, passwordHash: passwords.unusable() });
  return {
    takesOver,
    check: async (user) => {
      if (!(await operatorMarks.has(user.id))) return;
      if (opensOperator(user, identity) || mayLinkOperator(user, identity, now)) return;
      throw new InvalidToken("the account is an operator's, who signs in with a password");
    },
    admit: anybody,
    identity,
    first,
    again: (user) => (takesOver(user) ? first(user) : withIdentity(user, identity)),
  };
};

const MOST_SESSIONS = 500;

const endSessions = async (
  { sessions }: Pick<AccountsPorts, 'sessions'>,
  { id }: User,
): Promise<void> => {
  const { items } = await sessions.pageOfUser(id, { limit: MOST_SESSIONS });
  await Promise.all(items.map((one) => sessions.end(one.id)));
};

const accountOf = async (
  ports: KnownUserPorts,
  person: Person,
  way: Way,
): Promise<SignedInUser> => {
  const { users } = ports;
  const { provider, subject, vouched } = person;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [known, holder] = await Promise.all([
      users.findByIdentity(subject.subject),
      vouched.email === undefined ? undefined : users.findByEmail(vouched.email),
    ]);
    const decision = await keepingAddress(
      ports,
      person,
      accountFor(subject, vouched, { known, holder }, provider),
    );
    if ('user' in decision) await way.check(decision.user);
    const found = await carriedOut(ports, person, decision, way);
    if (found) return found;
  }
  throw new InvalidToken('the account is being changed');
};

/** Ignores outdated addresses, and all for operators: a provider that changed theirs would get their password mails. */
const keepingAddress = async (
  ports: Pick<AccountsPorts, 'clock' | 'operatorMarks'>,
  person: Person,
  decision: Decision,
): Promise<Decision> => {
  if (decision.as !== 'moved') return decision;
  const { user } = decision;
  const isKept =
    isOutdated(user, person.subject, saidAt(ports, person)) ||
    (await ports.operatorMarks.has(user.id));
  return isKept ? { as: 'known', user } : decision;
};

/** @returns undefined if the account was changed or created concurrently */
const carriedOut = async (
  ports: KnownUserPorts,
  person: Person,
  decision: Decision,
  way: Way,
): Promise<SignedInUser | undefined> => {
  const { provider, subject } = person;
  const { clock, passwords, random, settings, users } = ports;
  switch (decision.as) {
    case 'known': {
      const before = decision.user;
      const user = way.again(before);
      if (user === before) return { user, isTakenOver: false };
      await way.admit(user);
      if (!(await users.replace(user))) return undefined;
      return told(ports, provider, way, { before, user });
    }
    case 'refused':
      throw new InvalidToken(decision.why);
    case 'moved': {
      const { user: before, email } = decision;
      const at = saidAt(ports, person);
      const again = { ...way.again(before), revision: before.revision + 1 };
      const user = withAddress(again, subject, { email, at });
      await way.admit(user);
      if (!(await users.move(user, before.email))) return undefined;
      record(ports, 'email_changed', user, provider);
      return told(ports, provider, way, { before, user });
    }
    case 'linked': {
      const linked = way.first(decision.user);
      await way.admit(linked);
      if (!(await users.link(linked, subject.subject))) return undefined;
      record(ports, 'identity_linked', linked, provider);
      return { user: linked, isTakenOver: way.takesOver(decision.user) };
    }
    case 'made': {
      const made: User = {
        id: random.id(),
        email: decision.email,
        plan: provider.plan ?? settings.newAccountPlan ?? 'free',
        passwordHash: passwords.unusable(),
        signedOutAt: 0,
        identities: [way.identity],
        createdAt: clock.now(),
        revision: 1,
      };
      await way.admit(made);
      if (!(await users.create(made, { subject: subject.subject }))) return undefined;
      record(ports, 'account_made', made, provider);
      return { user: made, isTakenOver: false };
    }
  }
};

/** Records the events of a change to a linked account. */
const told = (
  ports: KnownUserPorts,
  provider: IdentityProvider,
  way: Way,
  { before, user }: { readonly before: User; readonly user: User },
): SignedInUser => {
  const isTakenOver = way.takesOver(before);
  if (isTakenOver) record(ports, 'identity_linked', user, provider);
  if (isEnded(before) && !isEnded(user)) record(ports, 'person_back', user, provider);
  return { user, isTakenOver };
};

const record = (
  { events }: KnownUserPorts,
  event: 'account_made' | 'email_changed' | 'identity_linked' | 'person_back',
  user: User,
  provider: IdentityProvider,
): void => events.record(accountEvent(event, user, provider.id));
