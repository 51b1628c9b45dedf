import { accountEvent } from '../../events/rules/service-event.ts';
import type { AccountsPorts } from '../../accounts/ports.ts';
import {
  leftFor,
  type Vouched,
  vouchedFor,
  vouchedIdentities,
} from '../../accounts/rules/standing.ts';
import type { User, UserIdentity } from '../../accounts/rules/user.ts';
import { DAY, type EpochSeconds, HOUR } from '../../platform/rules/time.ts';
import type { IdentityPorts } from '../ports.ts';
import { signsIn } from '../rules/sign-in.ts';
import { inTurn } from '../rules/turns.ts';

type CheckPeoplePorts = Pick<
  AccountsPorts,
  'clock' | 'events' | 'log' | 'standings' | 'timeLeft' | 'userList' | 'users'
> &
  Pick<IdentityPorts, 'checker' | 'identityProviders'>;

const PAGE = 1000;
const AT_ONCE = 4;
/** Nothing is started with less time left, since a provider may be slow. */
const LEAST_MS = 12_000;
/** Less than a day, since the runs of two days are not exactly a day apart. */
const ALMOST_A_DAY = DAY - HOUR;

/**
 * Asks companies about users who are inactive, to notice those who have left: each hour a part of them, so that a day
 * covers all. A user refused again a day later counts as having left.
 * @returns number of people asked about, and whether all had their turn; the rest have theirs on another day
 * Source: docs/access.md, "When somebody leaves".
 */
export const checkPeople = async (
  ports: CheckPeoplePorts,
): Promise<{ readonly asked: number; readonly complete: boolean }> => {
  const { clock, identityProviders, timeLeft, userList } = ports;
  let asked = 0;
  if (!(await identityProviders.list()).some(signsIn)) return { asked, complete: true };
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const { items, next } = await userList.page('', { limit: PAGE, after });
    ids.push(...items.map(({ id }) => id));
    after = next;
  } while (after !== undefined);
  const theirs = inTurn(ids, clock.now());
  for (let first = 0; first < theirs.length; first += AT_ONCE) {
    if (timeLeft.ms() < LEAST_MS) return { asked, complete: false };
    const some = theirs.slice(first, first + AT_ONCE);
    const done = await Promise.all(some.map((id) => looked(ports, id)));
    asked += done.filter(Boolean).length;
  }
  return { asked, complete: true };
};

/** Checks a user; after an error, again tomorrow. @returns whether the company was asked */
const looked = async (ports: CheckPeoplePorts, userId: string): Promise<boolean> => {
  const { clock, log, standings, users } = ports;
  try {
    const user = await users.find(userId);
    if (!user) return false;
    const now = clock.now();
    const identities = vouchedIdentities(user);
    const ended = identities.find(({ endedAt }) => endedAt !== undefined);
    if (ended) return await askedAgain(ports, user, ended, now);
    const isIdle = identities.every(({ checkedAt }) => now >= checkedAt + ALMOST_A_DAY);
    if (!isIdle || !identities.some(({ checkable }) => checkable)) return false;
    await standings.of(user, 'program');
    return true;
  } catch (error) {
    log.write({ message: 'person_not_checked', level: 'error', error });
    return false;
  }
};

/** Repeats the check of a user refused yesterday: providers refuse after a changed password, too. */
const askedAgain = async (
  ports: CheckPeoplePorts,
  user: User,
  { subject, issuer, endedAt = 0, leftAt }: Vouched,
  now: EpochSeconds,
): Promise<boolean> => {
  const { checker, events, identityProviders, users } = ports;
  const provider = (await identityProviders.list()).find((one) => one.issuer === issuer);
  if (leftAt !== undefined || now < endedAt + ALMOST_A_DAY) return false;
  if (!provider || !signsIn(provider)) return false;
  const { as, why } = await checker.check({ provider: provider.id, subject });
  // Everything else says nothing of the person; `unknown`, for one, that the client at the provider is another now.
  if (as !== 'vouched' && as !== 'ended') return true;
  const isBack = as === 'vouched';
  const isIt = (one: UserIdentity): boolean => one.subject === subject;
  const changed = isBack ? vouchedFor(user, isIt, now) : leftFor(user, isIt, now);
  if (await users.replace(changed)) {
    events.record(
      accountEvent(
        isBack ? 'person_back' : 'person_ended',
        user,
        `${provider.id}: ${isBack ? 'vouches again' : why}`,
      ),
    );
  }
  return true;
};
