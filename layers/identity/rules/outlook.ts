import { openedByPassword } from '../../accounts/rules/password-terms.ts';
import { standingOf } from '../../accounts/rules/standing.ts';
import type { User } from '../../accounts/rules/user.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { type Believed, passwordTermsOf } from './password-terms.ts';
import { signsIn, termsOfCompanies } from './sign-in.ts';

/** Effect on an account of the change that an operator is about to apply; undefined: none. */
export type Outlook =
  /** An operator whose password no longer works and for whom no company sign-in is allowed. */
  | 'operator_locked_out'
  /** The provider that signs the user in is removed. */
  | 'ended'
  /** The password no longer works, and no company has signed the user in yet. */
  | 'password_lost';

interface Change {
  readonly before: Believed;
  readonly next: Believed;
  readonly baseUrl: string;
}

/** @param isOperator - by the stored mark; a company signs in to such an account only if an operator allowed it */
export const outlookOf = (
  { before, next, baseUrl }: Change,
  user: User,
  isOperator: boolean,
): Outlook | undefined => {
  const wasSignedIn = isSignedInBy(before, user, isOperator);
  const isSignedIn = isSignedInBy(next, user, isOperator);
  if (isSignedIn) return undefined;
  if (wasSignedIn) return 'ended';
  const isLost = opens(before, baseUrl, user) && !opens(next, baseUrl, user);
  if (!isLost) return undefined;
  return isOperator ? 'operator_locked_out' : 'password_lost';
};

/** Why nobody can sign in to an account, so that its servers have no owner who could change them. */
export type WithoutOwner =
  /** The company has refused the user twice, a day apart. */
  | 'left'
  /** The company has refused the user once, or operators have removed it from the list. */
  | 'ended'
  /** The provider is a broker, which nobody asks, and the last sign-in is too old: the user may have left. */
  | 'sign_in_again'
  /** No password opens the account, and no company has signed the user in yet. */
  | 'nobody_signs_in';

/** @returns undefined for an account that somebody can sign in to */
export const withoutOwner = (
  {
    believed,
    baseUrl,
    now,
  }: { readonly believed: Believed; readonly baseUrl: string; readonly now: EpochSeconds },
  user: User,
  isOperator: boolean,
): { readonly what: WithoutOwner; readonly since?: EpochSeconds | undefined } | undefined => {
  const terms = termsOfCompanies(believed.providers);
  const standing = standingOf(user, terms, 'program', now).as;
  if (standing === 'ended') {
    const ended = user.identities?.find(({ endedAt }) => endedAt !== undefined);
    return ended?.leftAt === undefined
      ? { what: 'ended', since: ended?.endedAt }
      : { what: 'left', since: ended.leftAt };
  }
  if (standing === 'sign_in_again') {
    const signIns = (user.identities ?? []).map(({ lastSignIn = 0 }) => lastSignIn);
    return { what: 'sign_in_again', since: Math.max(...signIns) };
  }
  const isOpened = isSignedInBy(believed, user, isOperator) || opens(believed, baseUrl, user);
  return isOpened ? undefined : { what: 'nobody_signs_in' };
};

/** Whether a listed provider has signed the user in before and still can. */
const isSignedInBy = (
  { providers }: Believed,
  { identities = [] }: User,
  isOperator: boolean,
): boolean =>
  identities.some(
    ({ issuer, signedIn, opensOperator }) =>
      (isOperator ? opensOperator : signedIn) === true &&
      providers.some((one) => signsIn(one) && one.issuer === issuer),
  );

const opens = (believed: Believed, baseUrl: string, user: User): boolean => {
  const terms = passwordTermsOf(believed, { baseUrl, email: user.email });
  return !terms.company && openedByPassword(terms, user) !== 'nothing';
};
