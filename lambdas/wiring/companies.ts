import type { AccountsPorts } from '../../layers/accounts/ports.ts';
import { passwordTermsOf } from '../../layers/identity/rules/password-terms.ts';
import { signsIn } from '../../layers/identity/rules/sign-in.ts';
import type { IdentityProviders } from '../../layers/identity/store/providers.ts';

/** What accounts ask of the companies that sign their people in. */
export const companies = (
  identityProviders: IdentityProviders,
  baseUrl: string,
): { readonly identityProviders: IdentityProviders } & Pick<
  AccountsPorts,
  'asksAddressFirst' | 'passwordTerms'
> => ({
  identityProviders,
  asksAddressFirst: async () => (await identityProviders.list()).some(signsIn),
  passwordTerms: async (email) =>
    passwordTermsOf(await identityProviders.believed(), { baseUrl, email }),
});
