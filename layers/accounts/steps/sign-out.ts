import { signedOutFrom } from '../rules/signed-out.ts';
import type { User } from '../rules/user.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import type { AccountsPorts } from '../ports.ts';
import { changeUser } from './change-user.ts';

/**
 * Ends all that a user has begun: sessions, grants and minted tokens.
 *
 * @param change - what changes with it; may be called more than once
 * @param spent - what is spent for it, in the same transaction
 * @throws ApiRefusal conflict if others keep changing the user, or that was spent before
 */
export const signOut = (
  { clock, users }: Pick<AccountsPorts, 'clock' | 'users'>,
  user: User,
  change: (user: User) => User = (unchanged) => unchanged,
  spent?: Write,
): Promise<User> => {
  const signedOutAt = signedOutFrom(clock.now());
  const replace = (changed: User) => users.signOut(changed, spent);
  return changeUser({ users: { find: users.find, replace } }, user, (current) => ({
    ...change(current),
    signedOutAt: Math.max(current.signedOutAt, signedOutAt),
  }));
};
