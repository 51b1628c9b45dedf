import type { User, UserIdentity } from '../../accounts/rules/user.ts';
import { signedOutFrom } from '../../accounts/rules/signed-out.ts';
import type { EpochSeconds } from '../../platform/rules/time.ts';
import { type Fingerprint, fingerprint } from '../../platform/rules/fingerprint.ts';
import type { IdentityProvider } from './providers.ts';
import type { VouchedEmail } from './vouched-email.ts';

/** A person at a provider, identified by a claim that is permanent and never reassigned. */
export interface Subject {
  readonly issuer: string;
  readonly claim: string;
  /** Hash of issuer, tenant and subject. */
  readonly subject: Fingerprint;
}

/** Default claim; subjects from any other claim include its name. */
const SUBJECT_CLAIM = 'sub';

export const subjectOf = (
  { issuer, tenant, claim }: Omit<Subject, 'subject'> & { readonly tenant: string | undefined },
  value: string,
): Subject => {
  // JSON, so that different parts never yield the same text.
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

export interface Found {
  /** Account with this subject. */
  readonly known: User | undefined;
  /** Account with the address that the provider vouches for. */
  readonly holder: User | undefined;
}

export type Decision =
  | { readonly as: 'known'; readonly user: User }
  /** The provider vouches for a new address, which no account has. */
  | { readonly as: 'moved'; readonly user: User; readonly email: string }
  | { readonly as: 'linked'; readonly user: User }
  | { readonly as: 'made'; readonly email: string }
  | { readonly as: 'refused'; readonly why: string };

/**
 * Decides which account a person gets. An address alone never opens an account that has another subject: companies
 * reassign addresses of people who leave. So an account keeps at most one subject per issuer and claim, for good.
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
 * Links an account at its owner's first sign-in through their company. Somebody else may have had the address, and thus
 * the account, before: the password and all sessions end. Tokens of programs stay, since pipelines depend on them.
 * @param passwordHash - one that no password matches
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

/** Whether an operator has recently allowed this issuer to be linked to an operator's account. */
export const mayLinkOperator = (
  { mayLink }: User,
  { issuer }: Pick<UserIdentity, 'issuer'>,
  now: EpochSeconds,
): boolean => mayLink !== undefined && mayLink.issuer === issuer && now < mayLink.until;

export const opensOperator = (user: User, { subject }: UserIdentity): boolean =>
  (user.identities ?? []).some((one) => one.subject === subject && one.opensOperator === true);

/** Whether the provider has said something newer: an assertion held back or replayed must restore no old address. */
export const isOutdated = (user: User, { subject }: Subject, at: EpochSeconds): boolean =>
  (user.identities ?? []).some(
    ({ checkedAt = 0, lastSignIn = 0, addressAt = 0, ...one }) =>
      one.subject === subject && at < Math.max(checkedAt, lastSignIn, addressAt),
  );

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

/** Whether the person has signed in at the provider's page before, and not only by assertions. */
export const hasSignedIn = (user: User, { subject }: UserIdentity): boolean =>
  (user.identities ?? []).some((one) => one.subject === subject && one.signedIn === true);

/** Adds or replaces an identity; keeps an operator's permission to use it. */
export const withIdentity = (user: User, identity: UserIdentity): User => ({
  ...user,
  identities: [
    ...(user.identities ?? []).filter(({ subject }) => subject !== identity.subject),
    { ...identity, ...(opensOperator(user, identity) && { opensOperator: true as const }) },
  ],
  revision: user.revision + 1,
});
