import { accountEvent } from '../../../events/rules/service-event.ts';
import { canonicalEmail, isEmailBeginning } from '../../../accounts/rules/email.ts';
import { doneBy } from '../../../accounts/rules/operator.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { Plan } from '../../../limits/rules/plan.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { ListedUser } from '../../../accounts/rules/records.ts';
import type { Page, PageQuery } from '../../../platform/rules/paging.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { OauthPorts } from '../../../oauth/ports.ts';
import { changeUserPlan } from '../../../accounts/steps/operator/set-plan.ts';
import { endAccess } from '../../../accounts/steps/sign-out.ts';
import { endGrants } from '../account/remove-account.ts';
import { setOwnerPlan } from '../account/set-owner-plan.ts';
import type { PortsOf } from '../../../platform/ports.ts';

/** Accounts by prefix of their address, ordered by it. @throws ApiRefusal invalid_request for an impossible prefix */
export const listAccounts = (
  { userList }: Pick<AccountsPorts, 'userList'>,
  beginning: string,
  query: PageQuery,
): Promise<Page<ListedUser>> => {
  const prefix = canonicalEmail(beginning);
  if (isEmailBeginning(prefix)) return userList.page(prefix, query);
  throw new ApiRefusal('invalid_request', 'No address begins so.', {
    where: '/prefix',
    what: 'no beginning of an e-mail address',
    hint: 'Send the first characters of an address, as in ada@ex.',
  });
};

/** @throws ApiRefusal not_found */
export const findAccount = async (
  { users }: Pick<AccountsPorts, 'users'>,
  id: string,
): Promise<User> => {
  const user = await users.find(id);
  if (!user) throw new ApiRefusal('not_found', 'There is no account of this id.');
  return user;
};

/** Puts an account and its deployments on a plan. Repeatable. @throws ApiRefusal not_found, conflict */
export const changePlan = async (
  ports: PortsOf<typeof changeUserPlan | typeof setOwnerPlan>,
  operator: User,
  { id, plan }: { readonly id: string; readonly plan: Plan },
): Promise<User> => {
  const changed = await changeUserPlan(ports, await findAccount(ports, id), plan, operator.id);
  await setOwnerPlan(ports, { ownerId: id, plan });
  return changed;
};

/**
 * Ends an account's sessions, grants, tokens, trusts and password, like the operator command `endAccount`. Signing the
 * user out ends all grants; those listed are also ended one by one, so that they disappear from lists.
 * @throws ApiRefusal not_found; conflict; invalid_request for operators' accounts, so that a stolen operator session
 *   cannot lock out the other operators
 * Source: docs/decisions/accounts.md, "Operators at the console".
 */
export const endOwner = async (
  ports: Pick<
    OauthPorts,
    'clock' | 'events' | 'grants' | 'operatorMarks' | 'passwords' | 'random' | 'users'
  >,
  operator: User,
  id: string,
): Promise<void> => {
  const { events, operatorMarks } = ports;
  const user = await findAccount(ports, id);
  if (await operatorMarks.has(id)) {
    throw new ApiRefusal(
      'invalid_request',
      'This is the account of an operator: hosted-mcp admin end-account ends its sessions and tokens.',
    );
  }
  await endAccess(ports, user);
  await endGrants(ports, id);
  events.record(accountEvent('account_ended', user, doneBy(operator.id)));
};
