import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { User } from '../../../accounts/rules/user.ts';

/** So many are read at once. */
const PAGE = 50;

/** A page of all accounts, each as `shown` has it; those for which it has nothing are left out. */
export const allAccounts = async <Shown>(
  { operatorMarks, userList, users }: Pick<AccountsPorts, 'operatorMarks' | 'userList' | 'users'>,
  after: string | undefined,
  shown: (user: User, isOperator: boolean) => Promise<Shown | undefined>,
): Promise<{ readonly accounts: readonly Shown[]; readonly next?: string }> => {
  const { items, next } = await userList.page('', { limit: PAGE, after });
  const each = await Promise.all(
    items.map(async ({ id }) => {
      const user = await users.find(id);
      // The list only shows who is an operator; the mark says it.
      const isOperator = user?.operator === true && (await operatorMarks.has(id));
      return user && shown(user, isOperator);
    }),
  );
  return {
    accounts: each.flatMap((one) => (one === undefined ? [] : [one])),
    ...(next !== undefined && { next }),
  };
};
