import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { IdentityPorts } from '../ports.ts';
import { readKnownProviders } from '../rules/providers.ts';
import type { AppliedProviders } from '../store/providers.ts';

/**
 * Has a list of identity providers believed from now on, within 15 seconds, in place of the one that it was prepared
 * for.
 *
 * @param prepared - its list is believed no more than any other input
 * @param prepared.revision - of the list before
 * @throws ApiRefusal invalid_request; conflict where another list was applied meanwhile
 *
 * Source: docs/access.md, "Identity providers".
 */
export const applyProviders = async (
  { identityProviderRegister: register }: Pick<IdentityPorts, 'identityProviderRegister'>,
  prepared: { readonly providers: unknown; readonly revision: number },
): Promise<Pick<AppliedProviders, 'providers' | 'revision'>> => {
  const read = readKnownProviders(prepared.providers);
  if (read.faults) {
    const why = 'The list of identity providers cannot be applied.';
    throw new ApiRefusal('invalid_request', why, read.faults);
  }
  const next = { providers: read.providers, revision: prepared.revision + 1 };
  if (await register.replace(next)) return next;
  throw new ApiRefusal(
    'conflict',
    'Another list was applied meanwhile. Look at the difference again.',
  );
};
