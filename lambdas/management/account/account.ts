import { apiReply } from '@hosted-mcp/core/http';
import {
  type AccountView,
  describeAccount,
  type DescribeAccountPorts,
  PLANS,
  removeAccount,
  type RemoveAccountPorts,
} from '@hosted-mcp/core/management';
import * as z from 'zod';
import { isoTime } from '../frame/iso-time.ts';
import { type ApiRoute, ownerRoute } from '../frame/route.ts';

const Window = z.object({ used: z.int(), limit: z.int() });

const Account = z.object({
  id: z.string(),
  email: z.string(),
  email_verified: z.boolean(),
  name: z.string().optional(),
  plan: z.enum(PLANS),
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

export const accountRoutes = (
  ports: DescribeAccountPorts & RemoveAccountPorts,
): readonly ApiRoute[] => [
  ownerRoute({
    method: 'GET',
    path: '/account',
    operationId: 'getAccount',
    tag: 'account',
    summary: 'Who is signed in, on which plan, with its limits and what is used of them.',
    answers: { 200: { description: 'The account.', schema: Account } },
    handle: async ({ user }) => apiReply(200, accountBody(await describeAccount(ports, user))),
  }),

  ownerRoute({
    method: 'DELETE',
    path: '/account',
    operationId: 'removeAccount',
    tag: 'account',
    summary: 'Removes the account and all it owns. Its sessions end at once.',
    answers: { 204: { description: 'It is gone.' } },
    refusals: ['conflict'],
    handle: async ({ user }) => {
      await removeAccount(ports, user);
      return apiReply(204);
    },
  }),
];

const accountBody = ({ user, limits, usage }: AccountView): z.input<typeof Account> => ({
  id: user.id,
  email: user.email,
  email_verified: true,
  ...(user.name !== undefined && { name: user.name }),
  plan: user.plan,
  limits: {
    requests_per_hour: limits.requestsPerHour,
    requests_per_month: limits.requestsPerMonth,
    active_deployments_per_user: limits.activeDeployments,
    endpoints_per_deployment: limits.endpointsPerDeployment,
    searchable_operations: limits.searchableOperations,
  },
  usage: {
    hour: { used: usage.hour, limit: limits.requestsPerHour },
    month: { used: usage.month, limit: limits.requestsPerMonth },
  },
  created_at: isoTime(user.createdAt),
});
