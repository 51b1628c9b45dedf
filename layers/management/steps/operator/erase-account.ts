import { canonicalEmail } from '../../../accounts/rules/email.ts';
import { removeAccount, type RemoveAccountPorts } from '../account/remove-account.ts';

export type EraseAccountPorts = RemoveAccountPorts;

/**
 * Removes the account of an address and all that it owns, as its owner could. May be repeated.
 *
 * @returns its id; undefined where there is none (any more)
 */
export const eraseAccount = async (
  ports: EraseAccountPorts,
  email: string,
): Promise<string | undefined> => {
  const user = await ports.users.findByEmail(canonicalEmail(email));
  if (!user) return undefined;
  await removeAccount(ports, user);
  return user.id;
};
