import type { AccountsPorts } from '../accounts/ports.ts';
import type { TargetPorts } from '../target/ports.ts';
import type { IdentityProviderRegister, IdentityProviders } from './store/providers.ts';

export interface IdentityPorts extends AccountsPorts, Pick<TargetPorts, 'web'> {
  /** From a cache, for functions that ask at each request. */
  readonly identityProviders: IdentityProviders;
  readonly identityProviderRegister: IdentityProviderRegister;
}
