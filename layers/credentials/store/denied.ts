import { CredentialUnavailable } from '../rules/credential-access.ts';
import type { Neighbour } from '../../platform/rules/fault.ts';
import { errorName } from '../../platform/aws/access.ts';

/**
 * Turns a neighbour's access errors into a denied credential; does nothing for others.
 *
 * @param names - of access errors
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
