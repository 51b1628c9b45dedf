import type { EpochSeconds } from '../../platform/rules/time.ts';
import { signedOutFrom } from './signed-out.ts';
import type { User, UserIdentity } from './user.ts';

/** Of a provider that people sign in with: for how long its word holds. */
export interface CompanyTerms {
  readonly issuer: string;
  /** As people call it. */
  readonly name: string;
  /** After a check the next one is due, and what the check has let in ends. */
  readonly recheckSeconds: number;
  /** For how long after that nobody is refused because the provider does not answer. */
  readonly graceSeconds: number;
  /** After which somebody has to come to its page, though checks go well. */
  readonly reauthenticateSeconds: number;
  /** The same where it cannot be asked without them. */
  readonly unaskedSeconds: number;
  /** It answers for a directory that it does not ask, so that checks tell nothing. */
  readonly broker: boolean;
}

/**
 * What somebody's company is asked about: what a client was granted; what else opens the account, programs among it; a
 * machine that shows who it is, which nobody takes along who leaves; or an assertion of a company, which is as good as a
 * sign-in.
 */
export type Door = 'assertion' | 'grant' | 'machine' | 'program';

/** Whether a company stands by somebody. */
export type Standing =
  | {
      readonly as: 'good';
      readonly user: User;
      /** What is let in ends then; absent: no company says anything of the account. */
      readonly until?: EpochSeconds | undefined;
    }
  | { readonly as: 'ended'; readonly why: string }
  | { readonly as: 'sign_in_again'; readonly company: string }
  | { readonly as: 'unavailable'; readonly company: string; readonly retryAfterSeconds: number };

export interface CompanyStandings {
  /** @returns `user` as it is then, which a check changes. @throws Fault where a store fails */
  of(user: User, door: Door): Promise<Standing>;
}

/** What a company has vouched for, and is asked about. */
export type Vouched = UserIdentity & { readonly checkedAt: EpochSeconds };

/** What has to be asked before it is known whether somebody is let in. */
export interface DueCheck {
  readonly as: 'check';
  readonly identity: Vouched;
  readonly terms: CompanyTerms;
}

const isVouched = (identity: UserIdentity): identity is Vouched => identity.checkedAt !== undefined;

/** Whether a company says anything of an account, so that it has to be asked at every door. */
export const vouchedIdentities = ({ identities = [] }: Pick<User, 'identities'>) =>
  identities.filter(isVouched);

/**
 * Whether somebody is let in, as far as that is known without asking.
 *
 * The identity that was vouched for last counts. A provider that is believed no more has ended its people: nobody could
 * ask it. One that has ended somebody is believed until it vouches again, whatever others say.
 *
 * Source: docs/access.md, "When somebody leaves".
 */
export const standingOf = (
  user: User,
  terms: readonly CompanyTerms[],
  door: Door,
  now: EpochSeconds,
): Standing | DueCheck => {
  const [identity, ...others] = vouchedIdentities(user).toSorted(
    (one, other) => other.checkedAt - one.checkedAt,
  );
  if (!identity) return { as: 'good', user };
  const termsOf = ({ issuer }: UserIdentity) => terms.find((one) => one.issuer === issuer);
  const its = termsOf(identity);
  if (!its) return { as: 'ended', why: 'their company is believed no more' };
  if ([identity, ...others].some((one) => one.endedAt !== undefined && termsOf(one))) {
    return { as: 'ended', why: 'their company vouches for them no more' };
  }
  const isAsked = !its.broker && identity.checkable === true;
  const signInUntil =
    (identity.lastSignIn ?? 0) + (isAsked ? its.reauthenticateSeconds : its.unaskedSeconds);
  const needsSignIn = door === 'grant' || (door === 'program' && !isAsked);
  if (needsSignIn && now >= signInUntil) return { as: 'sign_in_again', company: its.name };
  if (!isAsked) return { as: 'good', user, until: unaskedUntil(door, signInUntil, its, now) };
  if (now < identity.checkedAt + restSeconds(identity, its)) {
    return { as: 'good', user, until: identity.checkedAt + its.recheckSeconds };
  }
  return { as: 'check', identity, terms: its };
};

/** Assertions and machines of today are let in, though somebody was at the page of their company long ago. */
const unaskedUntil = (
  door: Door,
  signInUntil: EpochSeconds,
  { recheckSeconds }: CompanyTerms,
  now: EpochSeconds,
): EpochSeconds =>
  door === 'assertion' || door === 'machine'
    ? Math.max(signInUntil, now + recheckSeconds)
    : signInUntil;

/** At half of the time, and a little later for some than for others, so that a company is not asked about all at once. */
const restSeconds = ({ subject }: UserIdentity, { recheckSeconds }: CompanyTerms): number => {
  const share = Number.parseInt(subject.slice(0, 4), 16) / 0xffff;
  return Math.floor((recheckSeconds / 2) * (1 + JITTER * share));
};

const JITTER = 0.1;

/**
 * What counts while a company does not answer. What is let in then ends as after a check, so that no client comes again
 * and again.
 */
export const unansweredStanding = (
  user: User,
  { identity: { checkedAt }, terms }: DueCheck,
  now: EpochSeconds,
): Standing => {
  const { graceSeconds, name, recheckSeconds } = terms;
  return now < checkedAt + recheckSeconds + graceSeconds
    ? { as: 'good', user, until: now + recheckSeconds }
    : { as: 'unavailable', company: name, retryAfterSeconds: RETRY_AFTER_SECONDS };
};

const RETRY_AFTER_SECONDS = 60;

/** Whether some company has ended somebody, and has not vouched for them since. */
export const isEnded = ({ identities = [] }: Pick<User, 'identities'>): boolean =>
  identities.some(({ endedAt }) => endedAt !== undefined);

/** Which identities of an account a provider speaks of. */
type Of = (identity: UserIdentity) => boolean;

const changed = (user: User, isOf: Of, change: (identity: UserIdentity) => UserIdentity): User => ({
  ...user,
  identities: (user.identities ?? []).map((one) => (isOf(one) ? change(one) : one)),
  revision: user.revision + 1,
});

/** Somebody for whom their company vouches, from now on again where it did not. */
export const vouchedFor = (user: User, isOf: Of, now: EpochSeconds): User =>
  changed(user, isOf, (identity) => {
    const { endedAt: _, leftAt: __, ...others } = identity;
    return { ...others, checkedAt: now };
  });

/** Somebody of whom their company has nothing more to say without them. */
export const uncheckable = (user: User, isOf: Of): User =>
  changed(user, isOf, (identity) => {
    const { checkable: _, ...others } = identity;
    return others;
  });

/** Somebody who was ended, and of whom their company says the same a day later. */
export const leftFor = (user: User, isOf: Of, now: EpochSeconds): User =>
  changed(user, isOf, (identity) => ({ ...identity, leftAt: now }));

/**
 * Somebody for whom their company vouches no more: what opens the account is refused, and their sessions are over for
 * good. Grants and tokens of programs stay, for the day on which it vouches again: it says the same of somebody whose
 * password it has changed.
 */
export const endedFor = (user: User, isOf: Of, now: EpochSeconds): User => ({
  ...changed(user, isOf, (identity) => ({ ...identity, endedAt: now })),
  sessionsEndedAt: signedOutFrom(now),
});
