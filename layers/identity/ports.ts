import type { AccountsPorts } from '../accounts/ports.ts';
import type { GuardedFetch } from '../target/client/guarded-fetch.ts';
import type { TargetPorts } from '../target/ports.ts';
import type { KeptPersons } from './store/kept-persons.ts';
import type { ProviderSecrets } from './store/provider-secrets.ts';
import type { IdentityProviderRegister, IdentityProviders } from './store/providers.ts';
import type { Checker, Redeemer } from './store/redeemer.ts';
import type { CompanySignIns } from './store/sign-ins.ts';

export interface IdentityPorts extends AccountsPorts, Pick<TargetPorts, 'web'> {
  /** Cached, for functions that read them at each request. */
  readonly identityProviders: IdentityProviders;
  readonly identityProviderRegister: IdentityProviderRegister;
  readonly providerFetch: GuardedFetch;
  readonly providerSecrets: ProviderSecrets;
  readonly redeemer: Redeemer;
  readonly checker: Checker;
  readonly keptPersons: KeptPersons;
  readonly companySignIns: CompanySignIns;
}
