import type { AccountView } from '../../steps/account/describe-account.ts';
import { PLANS } from '../../../limits/rules/plan.ts';
import * as z from 'zod';
import { isoTime } from '../../../api/iso-time.ts';

const Window = z.object({ used: z.int(), limit: z.int() });

/** An account, for whom it belongs to and for operators. */
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

export const accountBody = ({ user, limits, usage }: AccountView): z.input<typeof Account> => ({
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
    hour: { used: usage.hour, limit: limits.requestsPerHour },
    month: { used: usage.month, limit: limits.requestsPerMonth },
  },
  created_at: isoTime(user.createdAt),
});
