import type { CompanyPage, PasswordTerms } from '../../accounts/rules/password-terms.ts';
import { authorizationServer } from '../../platform/rules/addresses.ts';
import type { IdentityProvider } from './providers.ts';
import { providerOfAddress, signsIn } from './sign-in.ts';

/** Whose word is taken, and what passwords are good for beside it. */
export interface Believed {
  readonly providers: readonly IdentityProvider[];
  /** Of addresses that no provider names; those of a provider it says itself. */
  readonly passwords: 'off' | 'on';
  /** Ids of accounts that a password opens even then, for the day on which no provider answers. */
  readonly breakGlass: readonly string[];
}

/** More of them would be a second way in. */
export const MAX_BREAK_GLASS = 5;

/**
 * What a password of an address opens.
 *
 * @param email - canonical
 *
 * Source: docs/access.md, "Passwords".
 */
export const passwordTermsOf = (
  { providers, passwords, breakGlass }: Believed,
  { baseUrl, email }: { readonly baseUrl: string; readonly email: string },
): PasswordTerms => {
  const isOff = passwords === 'off';
  const refusing = providers.filter(signsIn).filter((one) => isOff || one.passwords === 'refused');
  const provider = providerOfAddress(refusing, email);
  const isException = !isOff && provider?.exceptions?.includes(email) === true;
  if (provider && !isException) {
    return { company: companyPageOf(provider, baseUrl) };
  }
  return {
    off: isOff ? { address: signInPage(baseUrl) } : undefined,
    breakGlass,
    companies: refusing.map((one) => ({ issuer: one.issuer, ...companyPageOf(one, baseUrl) })),
    exceptionOf: provider?.id,
  };
};

const signInPage = (baseUrl: string): string => `${authorizationServer(baseUrl)}/sign-in`;

/** Where people of a provider sign in. */
export const companyPageOf = (
  { id, name }: Pick<IdentityProvider, 'id' | 'name'>,
  baseUrl: string,
): Required<CompanyPage> => ({ name, address: `${signInPage(baseUrl)}/${id}` });
