import { isoTime } from '../../../platform/rules/time.ts';
import { apiReply } from '../../../platform/http/reply.ts';
import { changePlan, endOwner, findAccount, listAccounts } from '../../steps/operator/accounts.ts';
import { describeAccount } from '../../steps/account/describe-account.ts';
import type { ListedUser } from '../../../accounts/rules/records.ts';
import { PLANS } from '../../../limits/rules/plan.ts';
import * as z from 'zod';
import { Account, accountBody } from '../account/account.ts';
import { jsonBody } from '../../../api/body.ts';
import { pageBody, pageOf, pageQuery } from '../../../api/page.ts';
import { type ApiRoute, operatorRoute } from '../../../api/route.ts';
import type { PortsOf } from '../../../platform/ports.ts';
import { bodyOf } from '../../../platform/rules/shape.ts';

const LIST = 'operator-accounts';
const tag = 'operator';

const ListedAccount = z.object({
  id: z.string(),
  email: z.string(),
  plan: z.enum(PLANS),
  operator: z.literal(true).optional(),
  created_at: z.iso.datetime(),
});

const Query = pageQuery(LIST).extend({
  prefix: z
    .string()
    .max(320)
    .default('')
    .meta({ description: 'What the addresses begin with; all of them if omitted.' }),
});

/** Source: docs/decisions/accounts.md, "Operators at the console". */
export const operateAccountRoutes = (
  ports: PortsOf<
    typeof listAccounts | typeof changePlan | typeof endOwner | typeof describeAccount
  >,
): readonly ApiRoute[] => [
  operatorRoute({
    method: 'GET',
    path: '/operator/accounts',
    operationId: 'listAccounts',
    effects: [],
    tag,
    summary:
      'All accounts in the order of their e-mail addresses. New ones may come a moment later.',
    query: Query,
    answers: { 200: { description: 'A page.', schema: pageOf(ListedAccount) } },
    handle: async ({ query: { limit, cursor: after, prefix } }) => {
      const { items, next } = await listAccounts(ports, prefix, { limit, after });
      return apiReply(200, pageBody(LIST, items.map(listed), next));
    },
  }),

  operatorRoute({
    method: 'GET',
    path: '/operator/accounts/{id}',
    operationId: 'getAccountOfAnybody',
    effects: [],
    tag,
    summary: 'An account, with the limits of its plan and what is used of them.',
    answers: { 200: { description: 'It.', schema: Account } },
    handle: async ({ parameters: { id } }) =>
      apiReply(200, accountBody(await describeAccount(ports, await findAccount(ports, id)))),
  }),

  operatorRoute({
    method: 'PATCH',
    path: '/operator/accounts/{id}',
    operationId: 'changePlan',
    effects: [],
    tag,
    summary:
      'Puts an account and its deployments on a plan. Tokens already issued keep the old plan for up to an hour.',
    body: jsonBody(z.strictObject({ plan: z.enum(PLANS) })),
    answers: { 200: { description: 'As it is now.', schema: Account } },
    handle: async ({ user, parameters: { id }, body: { plan } }) => {
      const changed = await changePlan(ports, user, { id, plan });
      return apiReply(200, accountBody(await describeAccount(ports, changed)));
    },
  }),

  operatorRoute({
    method: 'POST',
    path: '/operator/accounts/{id}/end',
    operationId: 'endAccount',
    effects: ['removal'],
    tag,
    summary:
      'Ends the sessions, grants, tokens and trusts of an account, and its password. A new one is chosen through a mailed link. Operators are excluded.',
    answers: { 204: { description: 'Ended; also where there was nothing left to end.' } },
    handle: async ({ user, parameters: { id } }) => {
      await endOwner(ports, user, id);
      return apiReply(204);
    },
  }),
];

const listed = (user: ListedUser): z.input<typeof ListedAccount> =>
  bodyOf(ListedAccount, { ...user, createdAt: isoTime(user.createdAt) });
