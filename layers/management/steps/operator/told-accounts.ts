import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { User } from '../../../accounts/rules/user.ts';

export type ToldAccountsPorts = Pick<AccountsPorts, 'operatorMarks' | 'userList' | 'users'>;

/** So many are read at once. */
const PAGE = 50;

/** Of all accounts, a page at a time, what an operator is told of each; nothing of some. */
export const toldAccounts = async <Told>(
  { operatorMarks, userList, users }: ToldAccountsPorts,
  after: string | undefined,
  tell: (user: User, isOperator: boolean) => Promise<Told | undefined>,
): Promise<{ readonly accounts: readonly Told[]; readonly next?: string }> => {
  const { items, next } = await userList.page('', { limit: PAGE, after });
  const told = await Promise.all(
    items.map(async ({ id }) => {
      const user = await users.find(id);
      // The list only shows who is an operator; the mark says it.
      const isOperator = user?.operator === true && (await operatorMarks.has(id));
      return user && tell(user, isOperator);
    }),
  );
  return {
    accounts: told.flatMap((one) => (one === undefined ? [] : [one])),
    ...(next !== undefined && { next }),
  };
};
