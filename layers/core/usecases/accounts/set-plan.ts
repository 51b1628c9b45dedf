import { canonicalEmail } from '../../domain/accounts/email.ts';
import type { User } from '../../domain/accounts/user.ts';
import type { Plan } from '../../domain/plan.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import { changeUser } from './change-user.ts';

/**
 * Puts an account on a plan. Access tokens that are out carry the plan before, for an hour at most; what
 * the account's deployments count by is set on them (`setOwnerPlan`).
 *
 * @throws ApiRefusal not_found
 */
export const setPlan = async (
  ports: Pick<Ports, 'users'>,
  { email, plan }: { readonly email: string; readonly plan: Plan },
): Promise<User> => {
  const user = await ports.users.findByEmail(canonicalEmail(email));
  if (!user) throw new ApiRefusal('not_found', 'There is no account of this e-mail.');
  if (user.plan === plan) return user;
  return changeUser(ports, user, (current) => ({ ...current, plan }));
};
