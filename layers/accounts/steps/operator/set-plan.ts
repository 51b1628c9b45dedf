import { accountEvent } from '../../../events/rules/service-event.ts';
import { doneBy } from '../../rules/operator.ts';
import type { User } from '../../rules/user.ts';
import type { Plan } from '../../../limits/rules/plan.ts';
import type { AccountsPorts } from '../../ports.ts';
import { changeUser } from '../change-user.ts';
import { userOf } from './user-of.ts';

type SetPlanPorts = Pick<AccountsPorts, 'events' | 'users'>;

/**
 * Puts an account on a plan. Access tokens already issued contain the old plan, for an hour at most; the limits of its
 * deployments change by `setOwnerPlan`.
 * @throws ApiRefusal not_found
 */
export const setPlan = async (
  ports: SetPlanPorts,
  { email, plan }: { readonly email: string; readonly plan: Plan },
): Promise<User> => changeUserPlan(ports, await userOf(ports, email), plan);

/** @param operatorId - account id of an operator acting in the console */
export const changeUserPlan = async (
  ports: SetPlanPorts,
  user: User,
  plan: Plan,
  operatorId?: string,
): Promise<User> => {
  if (user.plan === plan) return user;
  const changed = await changeUser(ports, user, (current) => ({ ...current, plan }));
  const done = { ...doneBy(operatorId), why: `${user.plan} to ${plan}` };
  ports.events.record(accountEvent('plan_changed', user, done));
  return changed;
};
