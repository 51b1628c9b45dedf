import { readName } from '../../../accounts/rules/sign-up.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import { changeUser } from '../../../accounts/steps/change-user.ts';

/**
 * Sets the name that others see beside the account's actions.
 * @param name - as typed; null or blank removes it
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
