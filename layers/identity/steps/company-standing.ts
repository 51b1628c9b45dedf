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
import type { IdentityPorts } from '../ports.ts';
import type { IdentityProvider } from '../rules/providers.ts';
import type { CheckAnswer } from '../rules/redeemed.ts';
import { companyTermsOf, signsIn } from '../rules/sign-in.ts';

export type CompanyStandingPorts = Pick<AccountsPorts, 'clock' | 'events' | 'users'> &
  Pick<IdentityPorts, 'checker' | 'identityProviders'>;

/** Of several requests at once that hear of somebody, all but one look again. */
const ATTEMPTS = 4;

/**
 * What companies say of people. One that has said it a while ago is asked again, and what it says is kept in the
 * account, so that every door hears of it.
 *
 * Source: docs/access.md, "When somebody leaves".
 */
export const companyStandings = (ports: CompanyStandingPorts): CompanyStandings => ({
  of: async (user, door) => {
    // Most accounts are of no company, and cost nothing.
    if (vouchedIdentities(user).length === 0) return { as: 'good', user };
    const providers = await ports.identityProviders.list();
    let current: User | undefined = user;
    for (let attempt = 0; current && attempt < ATTEMPTS; attempt += 1) {
      const found = await standingNow(ports, providers, current, door);
      if (found) return found;
      current = await ports.users.find(user.id);
    }
    return { as: 'ended', why: current ? 'the account is being changed' : 'user removed' };
  },
});

/** @returns undefined where the account was changed meanwhile */
const standingNow = async (
  ports: CompanyStandingPorts,
  providers: readonly IdentityProvider[],
  user: User,
  door: Door,
): Promise<Standing | undefined> => {
  const terms = providers.filter(signsIn).map(companyTermsOf);
  const due = standingOf(user, terms, door, ports.clock.now());
  if (due.as !== 'check') return due;
  const provider = providers.find(({ issuer }) => issuer === due.identity.issuer);
  if (!provider) return undefined;
  const check = { provider: provider.id, subject: due.identity.subject };
  const answer = await ports.checker.check(check);
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
      if (!(await users.replace(endedFor(user, isIt, now)))) return undefined;
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
  { user: { id }, provider, answer }: Checked,
): void =>
  events.record({
    type: 'security',
    event,
    accountId: id,
    subject: id,
    why: `${provider.id}: ${answer.why}`,
  });
