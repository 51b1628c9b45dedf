import { signedOutFrom } from '../rules/signed-out.ts';
import type { User } from '../rules/user.ts';
import type { Write } from '../../platform/dynamodb/writes.ts';
import type { AccountsPorts } from '../ports.ts';
import { changeUser } from './change-user.ts';

/**
 * Ends everything by which an account can be entered: sessions, grants, tokens, trusts in machines, and its password.
 * @throws ApiRefusal conflict
 */
export const endAccess = (
  ports: Pick<AccountsPorts, 'clock' | 'passwords' | 'users'>,
  user: User,
): Promise<User> => {
  const passwordHash = ports.passwords.unusable();
  const trustsEndedAt = signedOutFrom(ports.clock.now());
  return signOut(ports, user, (current) => ({
    ...current,
    passwordHash,
    trustsEndedAt: Math.max(current.trustsEndedAt ?? 0, trustsEndedAt),
  }));
};

/**
 * Ends all sessions, grants and minted tokens of a user.
 * @param change - applied in the same write; may be called repeatedly
 * @param spent - write that spends a one-time link, in the same transaction
 * @throws ApiRefusal conflict if concurrent changes go on, or the link was spent before
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
