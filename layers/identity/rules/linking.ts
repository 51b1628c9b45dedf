import type { User, UserIdentity } from '../../accounts/rules/user.ts';
import { signedOutFrom } from '../../accounts/rules/signed-out.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { IdentityProvider } from './providers.ts';
import type { VouchedEmail } from './vouched-email.ts';

/** Whom a provider speaks of, by a claim that never changes for a person and is never given to another. */
export interface Subject {
  readonly issuer: string;
  readonly claim: string;
  /** Of issuer, tenant and subject together. */
  readonly subject: Fingerprint;
}

/** What every provider has; another claim is a subject of its own. */
const SUBJECT_CLAIM = 'sub';

export const subjectOf = (
  { issuer, tenant, claim }: Omit<Subject, 'subject'> & { readonly tenant: string | undefined },
  value: string,
): Subject => {
  // In JSON, so that no two read alike.
  const parts = [issuer, tenant ?? null, value, ...(claim === SUBJECT_CLAIM ? [] : [claim])];
  return { issuer, claim, subject: fingerprint(JSON.stringify(parts)) };
};

export const identityOf = ({ issuer, claim, subject }: Subject): UserIdentity => ({
  issuer,
  subject,
  ...(claim !== SUBJECT_CLAIM && { claim }),
});

const isOf = (
  { issuer, claim = SUBJECT_CLAIM }: UserIdentity,
  subject: Omit<Subject, 'subject'>,
): boolean => issuer === subject.issuer && claim === subject.claim;

/** What is found of a person before it is decided whose account it is. */
export interface Found {
  /** Who has the subject. */
  readonly known: User | undefined;
  /** Who has the address that the provider vouches for. */
  readonly holder: User | undefined;
}

export type Decision =
  | { readonly as: 'known'; readonly user: User }
  /** The provider vouches for an address that nobody has any more. */
  | { readonly as: 'moved'; readonly user: User; readonly email: string }
  | { readonly as: 'linked'; readonly user: User }
  | { readonly as: 'made'; readonly email: string }
  | { readonly as: 'refused'; readonly why: string };

/**
 * Whose account a person's is. An address alone opens none: a company gives addresses of those who leave to others,
 * who are not to find their accounts. So an account has at most one subject of each issuer and claim, for good.
 *
 * Source: docs/access.md, "Whose account it is".
 */
export const accountFor = (
  subject: Subject,
  { email, why }: VouchedEmail,
  { known, holder }: Found,
  { name, create_accounts: creates }: Pick<IdentityProvider, 'create_accounts' | 'name'>,
): Decision => {
  if (known) {
    const isNew = email !== undefined && email !== known.email && !holder;
    return isNew ? { as: 'moved', user: known, email } : { as: 'known', user: known };
  }
  if (email === undefined) return { as: 'refused', why };
  if (holder) {
    const former = holder.identities?.find((one) => isOf(one, subject));
    if (!former) return { as: 'linked', user: holder };
    return former.subject === subject.subject
      ? { as: 'known', user: holder }
      : { as: 'refused', why: 'the account of this address is of another subject' };
  }
  if (creates) return { as: 'made', email };
  return { as: 'refused', why: `there is no account of this address, and ${name} makes none` };
};

/**
 * An account whose person comes for the first time by the page of their company, and is known for from then on. Whoever
 * had the address before may have had the account, too: their password and sessions open it no more. What programs of
 * the account hold stays, since pipelines run with it.
 *
 * @param passwordHash - that no password has
 */
export const takenOver = (
  user: User,
  identity: UserIdentity,
  { now, passwordHash }: { readonly now: EpochSeconds; readonly passwordHash: string },
): User => ({
  ...withIdentity(withoutMayLink(user), {
    ...identity,
    ...(mayLinkOperator(user, identity, now) && { opensOperator: true }),
  }),
  passwordHash,
  sessionsEndedAt: signedOutFrom(now),
});

const withoutMayLink = (user: User): User => {
  const { mayLink: _, ...others } = user;
  return others;
};

/** Whether an operator has let a company open the account of one, and it is not too late. */
export const mayLinkOperator = (
  { mayLink }: User,
  { issuer }: Pick<UserIdentity, 'issuer'>,
  now: EpochSeconds,
): boolean => mayLink !== undefined && mayLink.issuer === issuer && now < mayLink.until;

/** Whether this subject opens the account of an operator. */
export const opensOperator = (user: User, { subject }: UserIdentity): boolean =>
  (user.identities ?? []).some((one) => one.subject === subject && one.opensOperator === true);

/**
 * Whether a provider has said something newer of a subject than its word of this moment, so that an assertion which a client
 * has held back, or shows again, takes no address back.
 */
export const isOutdated = (user: User, { subject }: Subject, at: EpochSeconds): boolean =>
  (user.identities ?? []).some(
    ({ checkedAt = 0, lastSignIn = 0, addressAt = 0, ...one }) =>
      one.subject === subject && at < Math.max(checkedAt, lastSignIn, addressAt),
  );

/** An account with an address that a provider vouches for, since this moment. */
export const withAddress = (
  user: User,
  { subject }: Subject,
  { email, at }: { readonly email: string; readonly at: EpochSeconds },
): User => ({
  ...user,
  email,
  identities: (user.identities ?? []).map((one) =>
    one.subject === subject ? { ...one, addressAt: at } : one,
  ),
});

/** Whether somebody has come by the page of their company before, and not by assertions alone. */
export const hasSignedIn = (user: User, { subject }: UserIdentity): boolean =>
  (user.identities ?? []).some((one) => one.subject === subject && one.signedIn === true);

/** An account with an identity, in place of what it had of this subject; what an operator has let it open, it opens. */
export const withIdentity = (user: User, identity: UserIdentity): User => ({
  ...user,
  identities: [
    ...(user.identities ?? []).filter(({ subject }) => subject !== identity.subject),
    { ...identity, ...(opensOperator(user, identity) && { opensOperator: true as const }) },
  ],
  revision: user.revision + 1,
});
