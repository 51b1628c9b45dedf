import { isoTime } from '../../../platform/rules/time.ts';
import * as z from 'zod';
import { type AccountView, describeAccount } from '../../steps/account/describe-account.ts';
import { PLANS } from '../../../limits/rules/plan.ts';
import { apiReply } from '../../../platform/http/reply.ts';
import { removeAccount } from '../../steps/account/remove-account.ts';
import { renameAccount } from '../../steps/account/rename-account.ts';
import { jsonBody } from '../../../api/body.ts';
import { type ApiRoute, ownerRoute } from '../../../api/route.ts';
import type { PortsOf } from '../../../platform/ports.ts';

const Window = z.object({
  used: z.int(),
  limit: z.int(),
  ends_at: z.iso.datetime().meta({ description: 'From when on it is counted anew.' }),
});

export const Account = z.object({
  id: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  name: z.string().optional(),
  plan: z.enum(PLANS),
  operator: z.literal(true).optional().meta({ description: 'Set for operators of the service.' }),
  limits: z.object({
    requests_per_hour: z.int(),
    requests_per_month: z.int(),
    active_deployments_per_user: z.int(),
    endpoints_per_deployment: z.int(),
    searchable_operations: z.int().meta({
      description: 'Of a deployment in tool mode `search`; 0: the plan does without that mode.',
    }),
  }),
  usage: z.object({ hour: Window, month: Window }),
  created_at: z.iso.datetime(),
});

export const accountBody = ({
  user,
  limits,
  usage,
  ends,
}: AccountView): z.input<typeof Account> => ({
  id: user.id,
  email: user.email,
  email_verified: true,
  ...(user.name !== undefined && { name: user.name }),
  plan: user.plan,
  ...(user.operator && { operator: true }),
  limits: {
    requests_per_hour: limits.requestsPerHour,
    requests_per_month: limits.requestsPerMonth,
    active_deployments_per_user: limits.activeDeployments,
    endpoints_per_deployment: limits.endpointsPerDeployment,
    searchable_operations: limits.searchableOperations,
  },
  usage: {
    hour: { used: usage.hour, limit: limits.requestsPerHour, ends_at: isoTime(ends.hour) },
    month: {
      used: usage.month,
      limit: limits.requestsPerMonth,
      ends_at: isoTime(ends.month),
    },
  },
  created_at: isoTime(user.createdAt),
});

const AccountChange = z.strictObject({
  name: z.string().max(200).nullable().meta({
    description: 'In one line of at most 100 characters; null or an empty text for none.',
  }),
});

export const accountRoutes = (
  ports: PortsOf<typeof describeAccount | typeof removeAccount | typeof renameAccount>,
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/account',
    operationId: 'getAccount',
    effects: [],
    tag: 'account',
    summary: 'Who is signed in, on which plan, with its limits and what is used of them.',
    answers: { 200: { description: 'The account.', schema: Account } },
    handle: async ({ user }) => apiReply(200, accountBody(await describeAccount(ports, user))),
  }),

  ownerRoute({
    method: 'PATCH',
    path: '/account',
    operationId: 'changeAccount',
    effects: [],
    forTokens: 'never',
    tag: 'account',
    summary: 'Changes the name that others see beside what its owner did.',
    body: jsonBody(AccountChange),
    answers: { 200: { description: 'The account as it is now.', schema: Account } },
    handle: async ({ user, body: { name } }) => {
      const renamed = await renameAccount(ports, user, name);
      return apiReply(200, accountBody(await describeAccount(ports, renamed)));
    },
  }),

  ownerRoute({
    method: 'DELETE',
    path: '/account',
    operationId: 'removeAccount',
    effects: ['removal'],
    forTokens: 'never',
    tag: 'account',
    summary: 'Removes the account and all it owns. Its sessions end at once.',
    answers: { 204: { description: 'It is gone.' } },
    handle: async ({ user }) => {
      await removeAccount(ports, user);
      return apiReply(204);
    },
  }),
];
