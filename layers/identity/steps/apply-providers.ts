import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { IdentityPorts } from '../ports.ts';
import { readKnownProviders } from '../rules/providers.ts';
import type { AppliedProviders } from '../store/providers.ts';

/**
 * Applies a prepared list of identity providers, effective within 15 seconds. It replaces only the revision that it was
 * prepared for.
 * @param prepared - validated again, like any other input
 * @param prepared.revision - revision of the list to replace
 * @throws ApiRefusal invalid_request; conflict where another list was applied since
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
