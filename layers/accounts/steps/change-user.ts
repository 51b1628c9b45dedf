import type { User } from '../rules/user.ts';
import { ApiRefusal } from '../../platform/rules/refusal/api-refusal.ts';
import type { AccountsPorts } from '../ports.ts';

const ATTEMPTS = 5;

/**
 * Applies a change to a user with optimistic concurrency, retrying after concurrent changes.
 * @param change - applied to the stored user; may be called repeatedly
 * @throws ApiRefusal conflict if concurrent changes go on
 */
export const changeUser = async (
  { users }: { readonly users: Pick<AccountsPorts['users'], 'find' | 'replace'> },
  user: User,
  change: (user: User) => User,
): Promise<User> => {
  let current: User | undefined = user;
  for (let attempt = 0; current && attempt < ATTEMPTS; attempt += 1) {
    const changed = { ...change(current), revision: current.revision + 1 };
    if (await users.replace(changed)) return changed;
    current = await users.find(user.id);
  }
  throw new ApiRefusal('conflict', 'The account was changed at the same time; try again.');
};
