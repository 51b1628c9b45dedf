import { canonicalEmail } from '../../rules/email.ts';
import type { User } from '../../rules/user.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../../ports.ts';

/** Reveals whether an account exists, so it is for operators only. @throws ApiRefusal not_found */
export const userOf = async (
  { users }: Pick<AccountsPorts, 'users'>,
  email: string,
): Promise<User> => {
  const user = await users.findByEmail(canonicalEmail(email));
  if (!user) throw new ApiRefusal('not_found', 'There is no account of this e-mail.');
  return user;
};
