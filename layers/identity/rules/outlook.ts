import { openedByPassword } from '../../accounts/rules/password-terms.ts';
import { standingOf } from '../../accounts/rules/standing.ts';
import type { User } from '../../accounts/rules/user.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { type Believed, passwordTermsOf } from './password-terms.ts';
import { signsIn, termsOfCompanies } from './sign-in.ts';

/** What becomes of an account by what an operator is about to apply; undefined: nothing that concerns them. */
export type Outlook =
  /** An operator whose password opens the account no more, and whom no company signs in. */
  | 'operator_locked_out'
  /** The provider that signs them in goes. */
  | 'ended'
  /** Its password goes, and no company has signed anybody in to it yet. */
  | 'password_lost';

interface Change {
  readonly before: Believed;
  readonly next: Believed;
  readonly baseUrl: string;
}

/** @param isOperator - by the mark, whose accounts a company opens only where an operator has let it */
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

/** Why nobody comes to an account any more, or not yet, so that its servers are without an owner who could change them. */
export type WithoutOwner =
  /** Their company has refused them twice, a day apart. */
  | 'left'
  /** It has refused them once, or operators have removed it from the list of providers. */
  | 'ended'
  /** Nobody asks their company (a broker), and they were there too long ago: they may have left. */
  | 'sign_in_again'
  /** No password opens it, and no company has signed anybody in to it. */
  | 'nobody_signs_in';

/** @returns undefined for an account that somebody comes to */
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

/** Whether a provider of the list has signed somebody in to an account, and still would. */
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
