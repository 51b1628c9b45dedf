import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { IdentityPorts } from '../ports.ts';
import { signsIn } from '../rules/sign-in.ts';
import { placeOf } from './token-endpoint.ts';

/**
 * Stores our client secret for a provider and replaces an earlier one.
 * @throws ApiRefusal not_found, invalid_request
 * Source: docs/access.md, "Sign-in with a company".
 */
export const setSecret = async (
  {
    identityProviderRegister,
    providerSecrets,
  }: Pick<IdentityPorts, 'identityProviderRegister' | 'providerSecrets'>,
  { provider: id, secret }: { readonly provider: string; readonly secret: string },
): Promise<void> => {
  const { providers } = await identityProviderRegister.find();
  const provider = providers.find((one) => one.id === id);
  if (!provider || !signsIn(provider)) {
    throw new ApiRefusal(
      'not_found',
      'No provider of the list that is applied has this id and sign_in: apply such a list first.',
    );
  }
  if (provider.sign_in.client_auth === 'none') {
    throw new ApiRefusal(
      'invalid_request',
      'The client of this provider has no secret (client_auth is none).',
    );
  }
  await providerSecrets.put(placeOf(provider), secret);
};
