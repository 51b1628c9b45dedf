import type { FindSessionPorts } from '../sessions.ts';
import type { User } from '../../rules/user.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { nothingThere, RouterRefusal } from '../../../platform/rules/refusal/router-refusal.ts';
import type { AccountsPorts } from '../../ports.ts';
import { requireSession } from '../require-session.ts';

/**
 * Whose session a request comes with, if they are an operator: what is stored says so, and no token, so that
 * it ends at once. For everybody else, signed in or not, there is nothing at the address.
 *
 * @throws RouterRefusal not_found, as where there is no route
 *
 * Source: docs/decisions/accounts.md, "Operators at the console".
 */
export const requireOperator = async (
  ports: FindSessionPorts & Pick<AccountsPorts, 'operatorMarks'>,
  authorization: string | undefined,
): Promise<User> => {
  const user = await requireSession(ports, authorization).catch(hidden);
  if (!(await ports.operatorMarks.has(user.id))) throw nothingThere('no operator');
  return user;
};

const hidden = (error: unknown): never => {
  if (error instanceof ApiRefusal || error instanceof RouterRefusal) throw nothingThere(error.why);
  throw error;
};
