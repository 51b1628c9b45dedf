import type { AccountsPorts } from '../../layers/accounts/ports.ts';
import { companyPageOf, passwordTermsOf } from '../../layers/identity/rules/password-terms.ts';
import { signsIn } from '../../layers/identity/rules/sign-in.ts';
import type { IdentityProviders } from '../../layers/identity/store/providers.ts';

/** What accounts ask about companies whose identity providers sign people in. */
export const companies = (
  identityProviders: IdentityProviders,
  baseUrl: string,
): { readonly identityProviders: IdentityProviders } & Pick<
  AccountsPorts,
  'asksAddressFirst' | 'companyPage' | 'isFreshAtCommandLine' | 'onlyCompany' | 'passwordTerms'
> => ({
  identityProviders,
  asksAddressFirst: async () => (await identityProviders.list()).some(signsIn),
  companyPage: async (id) => {
    const provider = (await identityProviders.list()).filter(signsIn).find((one) => one.id === id);
    return provider && companyPageOf(provider, baseUrl);
  },
  isFreshAtCommandLine: async (id) => {
    const provider = (await identityProviders.list()).filter(signsIn).find((one) => one.id === id);
    return provider !== undefined && provider.sign_in.fresh !== 'never';
  },
  onlyCompany: async () => {
    const { providers, passwords } = await identityProviders.believed();
    const [only, ...others] = providers.filter(signsIn);
    return only && others.length === 0 && passwords === 'off'
      ? companyPageOf(only, baseUrl)
      : undefined;
  },
  passwordTerms: async (email) =>
    passwordTermsOf(await identityProviders.believed(), { baseUrl, email }),
});
