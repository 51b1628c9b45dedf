import { signedOutFrom } from '../rules/signed-out.ts';
import type { User } from '../rules/user.ts';
import type { Ports } from '../../ports.ts';
import { changeUser } from './change-user.ts';

/**
 * Ends all that a user has begun: sessions, grants and minted tokens.
 *
 * @param change - what changes with it; may be called more than once
 * @throws ApiRefusal conflict if others keep changing the user
 */
export const signOut = (
  { clock, users }: Pick<Ports, 'clock' | 'users'>,
  user: User,
  change: (user: User) => User = (unchanged) => unchanged,
): Promise<User> => {
  const signedOutAt = signedOutFrom(clock.now());
  return changeUser({ users: { find: users.find, replace: users.signOut } }, user, (current) => ({
    ...change(current),
    signedOutAt: Math.max(current.signedOutAt, signedOutAt),
  }));
};
