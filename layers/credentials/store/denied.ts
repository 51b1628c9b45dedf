import { CredentialUnavailable } from '../rules/credential-access.ts';
import type { Neighbour } from '../../platform/rules/fault.ts';
import { errorName } from '../../platform/aws/access.ts';

/**
 * Tells an error by which a neighbour says that a credential is not ours to read from all others.
 *
 * @param names - of such errors
 * @throws CredentialUnavailable denied
 */
export const throwIfDenied = (
  neighbour: Neighbour,
  names: readonly string[],
  error: unknown,
): void => {
  const name = errorName(error);
  if (names.includes(name)) throw new CredentialUnavailable('denied', `${neighbour}: ${name}`);
};
