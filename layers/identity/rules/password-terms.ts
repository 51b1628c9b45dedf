import type { CompanyPage, PasswordTerms } from '../../accounts/rules/password-terms.ts';
import { authorizationServer } from '../../platform/rules/addresses.ts';
import type { IdentityProvider } from './providers.ts';
import { providerOfAddress, signsIn } from './sign-in.ts';

/** Trusted identity providers and the policy for passwords, as operators have applied them. */
export interface Believed {
  readonly providers: readonly IdentityProvider[];
  /** `off`: for everybody but `breakGlass`; `on`: each provider decides about the addresses of its domains. */
  readonly passwords: 'off' | 'on';
  /** Ids of accounts whose password works even while passwords are off, in case no provider answers. */
  readonly breakGlass: readonly string[];
}

/** More would amount to a second regular way to sign in. */
export const MAX_BREAK_GLASS = 5;

/** @param email - canonical. Source: docs/access.md, "Passwords". */
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

export const companyPageOf = (
  { id, name }: Pick<IdentityProvider, 'id' | 'name'>,
  baseUrl: string,
): Required<CompanyPage> => ({ name, address: `${signInPage(baseUrl)}/${id}` });
