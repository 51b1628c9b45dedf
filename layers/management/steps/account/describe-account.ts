import { hourOf, monthOf, usageSubject } from '../../../limits/rules/windows.ts';
import type { EpochSeconds } from '../../../platform/rules/time.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { Plan } from '../../../limits/rules/plan.ts';
import type { LimitsPorts, LimitsSettings } from '../../../limits/ports.ts';

type DescribeAccountPorts = Pick<LimitsPorts, 'clock' | 'usage'> & {
  readonly settings: LimitsSettings;
};

export interface AccountView {
  readonly user: User;
  readonly limits: PlanLimits;
  /** Requests in the current windows. */
  readonly usage: { readonly hour: number; readonly month: number };
  /** When each of these windows ends, and counting begins anew. */
  readonly ends: { readonly hour: EpochSeconds; readonly month: EpochSeconds };
}

export interface PlanLimits {
  readonly requestsPerHour: number;
  readonly requestsPerMonth: number;
  readonly activeDeployments: number;
  readonly endpointsPerDeployment: number;
  /** 0: no search mode. */
  readonly searchableOperations: number;
}

export const describeAccount = async (
  { clock, settings, usage }: DescribeAccountPorts,
  user: User,
): Promise<AccountView> => {
  const now = clock.now();
  return {
    user,
    limits: planLimits(settings, user.plan),
    usage: await usage.read(usageSubject(user.email), user.plan, now),
    ends: { hour: hourOf(now).end, month: monthOf(now).end },
  };
};

const planLimits = ({ limits }: LimitsSettings, plan: Plan): PlanLimits => ({
  requestsPerHour: limits[`${plan}_requests_per_hour`],
  requestsPerMonth: limits[`${plan}_requests_per_month`],
  activeDeployments: limits.active_deployments_per_user,
  endpointsPerDeployment: limits.endpoints_per_deployment,
  searchableOperations: limits[`${plan}_searchable_operations`],
});
