import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { User } from './user.ts';

/** Where people of an address sign in, who do so without a password of ours. */
export interface CompanyPage {
  /** What people call it; undefined where any company may be meant. */
  readonly name?: string | undefined;
  readonly address: string;
}

/**
 * What passwords of an address open. It is said by the address alone, never by an account, so that whatever follows from
 * it tells nobody whether there is one.
 *
 * Source: docs/access.md, "Passwords".
 */
export type PasswordTerms =
  /** Nothing. */
  { readonly company: CompanyPage } | AccountTerms;

/** The account of the address has a word in it, too. */
export interface AccountTerms {
  readonly company?: undefined;
  /** Where people sign in while passwords are off: they open the accounts that are named for emergencies alone. */
  readonly off: CompanyPage | undefined;
  /** Ids of these accounts. */
  readonly breakGlass: readonly string[];
  /** Companies whose people sign in there alone, whatever their address is. */
  readonly companies: readonly (CompanyPage & { readonly issuer: string })[];
  /** The id of the provider whose list of exceptions has the address. */
  readonly exceptionOf: string | undefined;
}

const granted = Symbol('password permit');

/**
 * That a password of an address may be looked at, or set. What looks at passwords and what hashes new ones takes one as
 * an argument, so that no door for passwords can be written that does not ask.
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
 * @param user - whose account it is, where the mailbox of its address is proven
 * @throws ApiRefusal use_company_sign_in
 */
export const permitToSet = (terms: PasswordTerms, user?: User): PasswordPermit<'set'> => {
  if (terms.company) throw useCompanySignIn(terms.company);
  const company = terms.off ?? (user && companyOf(terms, user));
  if (company) throw useCompanySignIn(company);
  return { [granted]: 'set', terms };
};

/** Operators may set one where passwords are off: of an account for emergencies. @throws ApiRefusal use_company_sign_in */
export const permitToProvision = (terms: PasswordTerms): PasswordPermit<'set'> => {
  if (terms.company) throw useCompanySignIn(terms.company);
  return { [granted]: 'set', terms };
};

/** What the right password of an account opens. */
export type Opened = 'nothing' | 'account' | 'exception' | 'break_glass';

/**
 * Accounts that a company signs in are not opened by a password beside it, whatever address they have by now: whoever
 * has left the company would go on.
 */
export const openedByPassword = (terms: AccountTerms, user: User): Opened => {
  if (terms.breakGlass.includes(user.id)) return 'break_glass';
  if (terms.off) return 'nothing';
  if (terms.exceptionOf !== undefined) return 'exception';
  return companyOf(terms, user) ? 'nothing' : 'account';
};

/** Whose sign-in an account is opened by in place of a password. */
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
