import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { User } from './user.ts';

/** Sign-in page of an identity provider that replaces passwords. */
export interface CompanyPage {
  /** Display name; undefined where several companies are possible. */
  readonly name?: string | undefined;
  readonly address: string;
}

/**
 * What a password sign-in with this address may do. It depends on the address alone and never on an account, so that
 * answers based on it do not reveal whether an account exists.
 * Source: docs/access.md, "Passwords".
 */
export type PasswordTerms =
  /** Passwords are refused, because this company signs the address in. */
  { readonly company: CompanyPage } | AccountTerms;

/** Passwords are possible; the account decides, too. */
export interface AccountTerms {
  readonly company?: undefined;
  /** Sign-in page while passwords are off in general; then only break-glass accounts can use theirs. */
  readonly off: CompanyPage | undefined;
  /** Ids of the break-glass accounts. */
  readonly breakGlass: readonly string[];
  /** Providers whose users must sign in there, regardless of their address. */
  readonly companies: readonly (CompanyPage & { readonly issuer: string })[];
  /** Id of the provider whose list of exceptions contains the address. */
  readonly exceptionOf: string | undefined;
}

const granted = Symbol('password permit');

/**
 * Proof that a password of an address may be checked or set. Functions that check or hash passwords require it as an
 * argument, so that no endpoint can forget to look at the terms.
 */
export interface PasswordPermit<Use extends 'check' | 'set'> {
  readonly [granted]: Use;
  readonly terms: AccountTerms;
}

/** @throws ApiRefusal use_company_sign_in */
export const permitToCheck = (terms: PasswordTerms): PasswordPermit<'check'> => {
  if (terms.company) throw useCompanySignIn(terms.company);
  return { [granted]: 'check', terms };
};

/**
 * @param user - account of the address, once its mailbox is proven
 * @throws ApiRefusal use_company_sign_in
 */
export const permitToSet = (terms: PasswordTerms, user?: User): PasswordPermit<'set'> => {
  if (terms.company) throw useCompanySignIn(terms.company);
  const company = terms.off ?? (user && companyOf(terms, user));
  if (company) throw useCompanySignIn(company);
  return { [granted]: 'set', terms };
};

/** Operators may set passwords while these are off, for break-glass accounts. @throws ApiRefusal use_company_sign_in */
export const permitToProvision = (terms: PasswordTerms): PasswordPermit<'set'> => {
  if (terms.company) throw useCompanySignIn(terms.company);
  return { [granted]: 'set', terms };
};

export type Opened = 'nothing' | 'account' | 'exception' | 'break_glass';

/**
 * Decides what a correct password opens. Accounts that sign in through a company are not opened by a password as well,
 * even if their address has changed: otherwise people could go on after they left the company.
 */
export const openedByPassword = (terms: AccountTerms, user: User): Opened => {
  if (terms.breakGlass.includes(user.id)) return 'break_glass';
  if (terms.off) return 'nothing';
  if (terms.exceptionOf !== undefined) return 'exception';
  return companyOf(terms, user) ? 'nothing' : 'account';
};

/** The company through which the account must sign in, if any. */
const companyOf = (
  { breakGlass, companies, exceptionOf }: AccountTerms,
  { id, identities = [] }: User,
): CompanyPage | undefined => {
  if (exceptionOf !== undefined || breakGlass.includes(id)) return undefined;
  return companies.find(({ issuer }) => identities.some((one) => one.issuer === issuer));
};

const useCompanySignIn = ({ name = 'your company', address }: CompanyPage): ApiRefusal =>
  new ApiRefusal(
    'use_company_sign_in',
    `You sign in with ${name} here, and not with a password: open ${address}.`,
    [],
    'passwords are refused',
    { signInAt: address },
  );
