import { accountEvent } from '../../../events/rules/service-event.ts';
import { doneBy } from '../../rules/operator.ts';
import type { User } from '../../rules/user.ts';
import type { AccountsPorts } from '../../ports.ts';
import { changeUser } from '../change-user.ts';
import { userOf } from './user-of.ts';

/**
 * Makes an account an operator's, or ends that. Only this function does, and no route leads to it, so that IAM alone
 * decides who becomes an operator.
 * @throws ApiRefusal not_found, conflict
 * Source: docs/decisions/accounts.md, "Operators at the console".
 */
export const setOperator = async (
  ports: Pick<AccountsPorts, 'events' | 'operatorMarks' | 'users'>,
  email: string,
  isOperator: boolean,
): Promise<User> => {
  const user = await userOf(ports, email);
  const before = await ports.operatorMarks.has(user.id);
  await (isOperator ? ports.operatorMarks.put(user.id) : ports.operatorMarks.remove(user.id));
  const changed =
    (user.operator === true) === isOperator
      ? user
      : await changeUser(ports, user, (current) => {
          const { operator: _, ...rest } = current;
          return isOperator ? { ...rest, operator: true } : withoutCompanyLink(rest);
        });
  if (before === isOperator) return changed;
  const event = isOperator ? 'operator_made' : 'operator_ended';
  ports.events.record(accountEvent(event, user, doneBy(undefined)));
  return changed;
};

/** Allowances for company sign-in end with the operator's role and must be given anew. */
const withoutCompanyLink = (user: User): User => {
  const { mayLink: _, identities, ...others } = user;
  return {
    ...others,
    ...(identities && {
      identities: identities.map((identity) => {
        const { opensOperator: _opens, ...rest } = identity;
        return rest;
      }),
    }),
  };
};
