import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { User } from '../../../accounts/rules/user.ts';

const PAGE = 50;

/** A page of all accounts as `shown` renders them; undefined results are left out. */
export const allAccounts = async <Shown>(
  { operatorMarks, userList, users }: Pick<AccountsPorts, 'operatorMarks' | 'userList' | 'users'>,
  after: string | undefined,
  shown: (user: User, isOperator: boolean) => Promise<Shown | undefined>,
): Promise<{ readonly accounts: readonly Shown[]; readonly next?: string }> => {
  const { items, next } = await userList.page('', { limit: PAGE, after });
  const each = await Promise.all(
    items.map(async ({ id }) => {
      const user = await users.find(id);
      // Authority comes from the mark; `user.operator` is for display and only saves the read.
      const isOperator = user?.operator === true && (await operatorMarks.has(id));
      return user && shown(user, isOperator);
    }),
  );
  return {
    accounts: each.flatMap((one) => (one === undefined ? [] : [one])),
    ...(next !== undefined && { next }),
  };
};
