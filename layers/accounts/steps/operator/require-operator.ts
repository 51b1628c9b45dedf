import type { FindSessionPorts } from '../sessions.ts';
import type { User } from '../../rules/user.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { nothingThere, RouterRefusal } from '../../../platform/rules/refusal/router-refusal.ts';
import type { AccountsPorts } from '../../ports.ts';
import { requireSession } from '../require-session.ts';

/**
 * The signed-in operator of a request. The stored mark decides, not the token, so that revocation is immediate.
 * Everybody else gets 404, signed in or not, so that the routes stay hidden.
 * @throws RouterRefusal not_found, as where there is no route
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
