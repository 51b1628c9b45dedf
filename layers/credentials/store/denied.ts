import { CredentialUnavailable } from '../rules/credential-access.ts';
import type { Neighbour } from '../../platform/rules/fault.ts';
import { errorName } from '../../platform/aws/access.ts';

/** Errors of other names are ignored. @throws CredentialUnavailable denied */
export const throwIfDenied = (
  neighbour: Neighbour,
  names: readonly string[],
  error: unknown,
): void => {
  const name = errorName(error);
  if (names.includes(name)) throw new CredentialUnavailable('denied', `${neighbour}: ${name}`);
};
