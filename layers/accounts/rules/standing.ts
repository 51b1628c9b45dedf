import type { EpochSeconds } from '../../platform/rules/time.ts';
import { signedOutFrom } from './signed-out.ts';
import type { User, UserIdentity } from './user.ts';

/** How long the checks of an identity provider count. */
export interface CompanyTerms {
  readonly issuer: string;
  readonly name: string;
  /** Duration of access granted by a check; the provider is asked again at the first use after half of it. */
  readonly recheckSeconds: number;
  /** Time after the end of that access during which a silent provider does not cause refusals. */
  readonly graceSeconds: number;
  /** Time after which a user must sign in at the provider, even if checks succeed. */
  readonly reauthenticateSeconds: number;
  /** Time after which users must sign in whose status cannot be checked without them. */
  readonly unaskedSeconds: number;
  /** The provider brokers for a directory without asking it, so checks prove nothing. */
  readonly broker: boolean;
}

/**
 * What an account is used for: `grant`, a grant of an OAuth client; `program`, another credential, such as a program's;
 * `machine`, a machine that proves its own identity, which people cannot take along when they leave; `assertion`, an
 * identity assertion by the company, as good as a sign-in.
 */
export type Door = 'assertion' | 'grant' | 'machine' | 'program';

export type Standing =
  | {
      readonly as: 'good';
      readonly user: User;
      /** End of the access granted now; absent: no company vouches for the account. */
      readonly until?: EpochSeconds | undefined;
    }
  | { readonly as: 'ended'; readonly why: string }
  | { readonly as: 'sign_in_again'; readonly company: string }
  | { readonly as: 'unavailable'; readonly company: string; readonly retryAfterSeconds: number };

export interface CompanyStandings {
  /** @returns `user` with the changes that a check made. @throws Fault where a store fails */
  of(user: User, door: Door): Promise<Standing>;
}

/** An identity that its provider has vouched for, by a sign-in or a check. */
export type Vouched = UserIdentity & { readonly checkedAt: EpochSeconds };

/** The provider must be asked before access is decided. */
export interface DueCheck {
  readonly as: 'check';
  readonly identity: Vouched;
  readonly terms: CompanyTerms;
}

const isVouched = (identity: UserIdentity): identity is Vouched => identity.checkedAt !== undefined;

/** Identities by whose provider access is decided; not all can be asked about. */
export const vouchedIdentities = ({ identities = [] }: Pick<User, 'identities'>) =>
  identities.filter(isVouched);

/**
 * Decides about access, as far as possible without asking the provider.
 *
 * The identity vouched for last counts. If its provider is no longer trusted, access ends, since nobody could be asked.
 * A provider that has ended an identity blocks access until it vouches again, whatever other providers say.
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

/** Access by assertions and machines lasts until the next check at least, even if the sign-in at the company is old. */
const unaskedUntil = (
  door: Door,
  signInUntil: EpochSeconds,
  { recheckSeconds }: CompanyTerms,
  now: EpochSeconds,
): EpochSeconds =>
  door === 'assertion' || door === 'machine'
    ? Math.max(signInUntil, now + recheckSeconds)
    : signInUntil;

/** Half of the interval plus up to 10 % by user, so that checks do not hit a provider all at once. */
const restSeconds = ({ subject }: UserIdentity, { recheckSeconds }: CompanyTerms): number => {
  const share = Number.parseInt(subject.slice(0, 4), 16) / 0xffff;
  return Math.floor((recheckSeconds / 2) * (1 + JITTER * share));
};

const JITTER = 0.1;

/** While a provider does not answer, access lasts as long as after a check, so that clients do not retry constantly. */
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

/** Whether some provider has ended an identity and not vouched for it since. */
export const isEnded = ({ identities = [] }: Pick<User, 'identities'>): boolean =>
  identities.some(({ endedAt }) => endedAt !== undefined);

type Of = (identity: UserIdentity) => boolean;

const changed = (user: User, isOf: Of, change: (identity: UserIdentity) => UserIdentity): User => ({
  ...user,
  identities: (user.identities ?? []).map((one) => (isOf(one) ? change(one) : one)),
  revision: user.revision + 1,
});

/** Vouched for by the provider, again if it had ended. */
export const vouchedFor = (user: User, isOf: Of, now: EpochSeconds): User =>
  changed(user, isOf, (identity) => {
    const { endedAt: _, leftAt: __, ...others } = identity;
    return { ...others, checkedAt: now };
  });

/** No longer checkable: the provider can say nothing more without the user. */
export const uncheckable = (user: User, isOf: Of): User =>
  changed(user, isOf, (identity) => {
    const { checkable: _, ...others } = identity;
    return others;
  });

/** Ended before and still so a day later, according to the provider. */
export const leftFor = (user: User, isOf: Of, now: EpochSeconds): User =>
  changed(user, isOf, (identity) => ({ ...identity, leftAt: now }));

/**
 * Ended by the provider: access is refused, and all sessions are over for good. Grants and tokens for programs stay,
 * since the provider may vouch again: providers report a changed password in the same way as a departure.
 */
export const endedFor = (user: User, isOf: Of, now: EpochSeconds): User => ({
  ...changed(user, isOf, (identity) => ({ ...identity, endedAt: now })),
  sessionsEndedAt: signedOutFrom(now),
});
