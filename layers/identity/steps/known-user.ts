import type { AccountsPorts, AccountsSettings } from '../../accounts/ports.ts';
import type { User, UserIdentity } from '../../accounts/rules/user.ts';
import { afterwards } from '../../platform/rules/afterwards.ts';
import { InvalidToken } from '../../tokens/rules/authorization.ts';
import {
  accountFor,
  type Decision,
  identityOf,
  type Subject,
  takenOver,
} from '../rules/linking.ts';
import type { IdentityProvider } from '../rules/providers.ts';
import type { VouchedEmail } from '../rules/vouched-email.ts';

export type KnownUserPorts = Pick<
  AccountsPorts,
  'clock' | 'events' | 'passwords' | 'random' | 'users'
> & {
  readonly settings: Pick<AccountsSettings, 'newAccountPlan'>;
};

/** What a provider says of a person, its signature checked. */
export interface Person {
  readonly provider: IdentityProvider;
  readonly subject: Subject;
  readonly vouched: VouchedEmail;
}

/** Of several requests at once that meet a person for the first time, all but one try again. */
const ATTEMPTS = 4;

/**
 * The account of whom a provider speaks of: the one that its subject was seen with before, whatever address it has
 * now. A new subject gets the one of its address, once and for all, or one that is made for it.
 *
 * @throws InvalidToken if there is no such account
 *
 * Source: draft-ietf-oauth-identity-assertion-authz-grant §6; docs/access.md, "Whose account it is".
 */
export const knownUser = async (ports: KnownUserPorts, person: Person): Promise<User> =>
  (await accountOf(ports, person, byAssertion)).user;

/** Whose account it is, and whether it became theirs just now by its address. */
export interface SignedInUser {
  readonly user: User;
  readonly isLinked: boolean;
}

/**
 * The same for somebody who has signed in at the page of the provider. What opened an account before that is reached by
 * its address opens it no more, beside what programs hold.
 *
 * @throws InvalidToken if there is no such account, or no address alone may open it
 *
 * Source: docs/access.md, "Whose account it is".
 */
export const signedInUser = async (
  ports: KnownUserPorts & Pick<AccountsPorts, 'log' | 'sessions'>,
  person: Person,
): Promise<SignedInUser> => {
  const found = await accountOf(ports, person, atSignIn(ports));
  // They are refused already; the router, which reads no users, finds them no more.
  if (found.isLinked) {
    await afterwards(ports, 'sessions from before a company', () => endSessions(ports, found.user));
  }
  return found;
};

/** An account with one more identity. @throws InvalidToken */
type Link = (user: User, identity: UserIdentity) => User;

const byAssertion: Link = (user, identity) => ({
  ...user,
  identities: [...(user.identities ?? []), identity],
  revision: user.revision + 1,
});

const atSignIn =
  ({ clock, passwords }: Pick<KnownUserPorts, 'clock' | 'passwords'>): Link =>
  (user, identity) => {
    const terms = { now: clock.now(), passwordHash: passwords.unusable() };
    const linked = takenOver(user, identity, terms);
    if (typeof linked === 'string') throw new InvalidToken(linked);
    return linked;
  };

/** Of one person, more than any has. */
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
  link: Link,
): Promise<SignedInUser> => {
  const { users } = ports;
  const { provider, subject, vouched } = person;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [known, holder] = await Promise.all([
      users.findByIdentity(subject.subject),
      vouched.email === undefined ? undefined : users.findByEmail(vouched.email),
    ]);
    const decision = accountFor(subject, vouched, { known, holder }, provider);
    const user = await carriedOut(ports, person, decision, link);
    if (user) return { user, isLinked: decision.as === 'linked' };
  }
  throw new InvalidToken('the account is being changed');
};

/** @returns undefined where somebody else changed the account, or made it, meanwhile */
const carriedOut = async (
  ports: KnownUserPorts,
  { provider, subject }: Person,
  decision: Decision,
  link: Link,
): Promise<User | undefined> => {
  const { clock, passwords, random, settings, users } = ports;
  const identity = identityOf(subject);
  switch (decision.as) {
    case 'known':
      return decision.user;
    case 'refused':
      throw new InvalidToken(decision.why);
    case 'moved': {
      const { user, email } = decision;
      const moved = { ...user, email, revision: user.revision + 1 };
      if (!(await users.move(moved, user.email))) return undefined;
      record(ports, 'email_changed', moved, provider);
      return moved;
    }
    case 'linked': {
      const linked = link(decision.user, identity);
      if (!(await users.link(linked, subject.subject))) return undefined;
      record(ports, 'identity_linked', linked, provider);
      return linked;
    }
    case 'made': {
      const made: User = {
        id: random.id(),
        email: decision.email,
        plan: provider.plan ?? settings.newAccountPlan ?? 'free',
        passwordHash: passwords.unusable(),
        signedOutAt: 0,
        identities: [identity],
        createdAt: clock.now(),
        revision: 1,
      };
      if (!(await users.create(made, { subject: subject.subject }))) return undefined;
      record(ports, 'account_made', made, provider);
      return made;
    }
  }
};

const record = (
  { events }: KnownUserPorts,
  event: 'account_made' | 'email_changed' | 'identity_linked',
  { id }: User,
  { id: provider }: IdentityProvider,
): void => {
  events.record({ type: 'security', event, accountId: id, subject: id, why: provider });
};
