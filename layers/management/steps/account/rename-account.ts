import { readName } from '../../../accounts/rules/sign-up.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import { changeUser } from '../../../accounts/steps/change-user.ts';

/**
 * Gives an account the name that others see beside what its owner did.
 *
 * @param name - as it was typed; null, or nothing but blanks, for none
 * @throws ApiRefusal conflict
 */
export const renameAccount = (
  ports: Pick<AccountsPorts, 'users'>,
  user: User,
  name: string | null,
): Promise<User> =>
  changeUser(ports, user, (before) => {
    const { name: _, ...others } = before;
    return { ...others, ...readName(name ?? undefined) };
  });
