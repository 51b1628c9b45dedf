import { accountEvent } from '../../events/rules/service-event.ts';
import type { AccountsPorts } from '../../accounts/ports.ts';
import {
  type CompanyStandings,
  type Door,
  type DueCheck,
  endedFor,
  type Standing,
  standingOf,
  uncheckable,
  unansweredStanding,
  vouchedFor,
  vouchedIdentities,
} from '../../accounts/rules/standing.ts';
import type { User, UserIdentity } from '../../accounts/rules/user.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import type { IdentityPorts } from '../ports.ts';
import type { IdentityProvider } from '../rules/providers.ts';
import type { CheckAnswer } from '../rules/redeemed.ts';
import { termsOfCompanies } from '../rules/sign-in.ts';

export type CompanyStandingPorts = Pick<AccountsPorts, 'clock' | 'events' | 'users'> &
  Pick<IdentityPorts, 'checker' | 'identityProviders'>;

/** Parallel requests about one user conflict; all but one retry. */
const ATTEMPTS = 4;

/**
 * Decides by the companies' statements whether accounts still have access. If the last statement is too old, the
 * company is asked, and the answer stored in the account.
 * Source: docs/access.md, "When somebody leaves".
 */
export const companyStandings = (ports: CompanyStandingPorts): CompanyStandings => {
  const silent: Silent = new Map();
  return { of: (user, door) => standingIn(ports, silent, user, door) };
};

/** When to ask a silent provider again, by its id, so that not every request waits for its timeout. */
type Silent = Map<string, EpochSeconds>;
const SILENT_SECONDS = 30;

const standingIn = async (
  ports: CompanyStandingPorts,
  silent: Silent,
  user: User,
  door: Door,
): Promise<Standing> => {
  // Most accounts belong to no company; they cost no read.
  if (vouchedIdentities(user).length === 0) return { as: 'good', user };
  const providers = await ports.identityProviders.list();
  let current: User | undefined = user;
  for (let attempt = 0; current && attempt < ATTEMPTS; attempt += 1) {
    const found = await standingNow(ports, { silent, providers }, current, door);
    if (found) return found;
    current = await ports.users.find(user.id);
  }
  return current
    ? { as: 'unavailable', company: 'their company', retryAfterSeconds: 1 }
    : { as: 'ended', why: 'user removed' };
};

/** @returns undefined if the account was changed concurrently */
const standingNow = async (
  ports: CompanyStandingPorts,
  {
    silent,
    providers,
  }: { readonly silent: Silent; readonly providers: readonly IdentityProvider[] },
  user: User,
  door: Door,
): Promise<Standing | undefined> => {
  const terms = termsOfCompanies(providers);
  const now = ports.clock.now();
  const due = standingOf(user, terms, door, now);
  if (due.as !== 'check') return due;
  const provider = providers.find(({ issuer }) => issuer === due.identity.issuer);
  if (!provider) return undefined;
  if (now < (silent.get(provider.id) ?? 0)) return unansweredStanding(user, due, now);
  const check = { provider: provider.id, subject: due.identity.subject };
  const answer = await ports.checker.check(check);
  if (answer.as === 'unavailable') silent.set(provider.id, now + SILENT_SECONDS);
  else silent.delete(provider.id);
  return afterCheck(ports, { user, due, door, provider, answer });
};

interface Checked {
  readonly user: User;
  readonly due: DueCheck;
  readonly door: Door;
  readonly provider: IdentityProvider;
  readonly answer: CheckAnswer;
}

const afterCheck = async (
  ports: CompanyStandingPorts,
  checked: Checked,
): Promise<Standing | undefined> => {
  const { clock, users } = ports;
  const { user, due, door, answer } = checked;
  const now = clock.now();
  const isIt = ({ subject }: UserIdentity): boolean => subject === due.identity.subject;
  switch (answer.as) {
    case 'vouched': {
      const vouched = vouchedFor(user, isIt, now);
      if (!(await users.replace(vouched))) return undefined;
      return { as: 'good', user: vouched, until: now + due.terms.recheckSeconds };
    }
    case 'ended': {
      if (!(await users.endSessions(endedFor(user, isIt, now)))) return undefined;
      record(ports, 'person_refused', checked);
      return { as: 'ended', why: 'their company vouches for them no more' };
    }
    case 'unknown': {
      const unasked = uncheckable(user, isIt);
      if (!(await users.replace(unasked))) return undefined;
      const found = standingOf(unasked, [due.terms], door, now);
      return found.as === 'check' ? undefined : found;
    }
    case 'misconfigured':
      record(ports, 'company_check_failed', checked);
      return unansweredStanding(user, due, now);
    case 'unavailable':
      return unansweredStanding(user, due, now);
  }
};

const record = (
  { events }: Pick<CompanyStandingPorts, 'events'>,
  event: 'company_check_failed' | 'person_refused',
  { user, provider, answer }: Checked,
): void => events.record(accountEvent(event, user, `${provider.id}: ${answer.why}`));
