import type { CallCounts } from '../rules/call-counts.ts';
import {
  type CallerTotal,
  callerTotals,
  type HourTotal,
  hourTotals,
  sumOfCalls,
} from '../rules/call-totals.ts';
import { type Problem, problemsOf } from '../rules/problems.ts';
import { AFTER_ALL } from '../rules/queries.ts';
import { type Tally, tallied } from '../../events/rules/call-outcome.ts';
import { type CallRecord, firstMoment } from '../../events/rules/call-record.ts';
import { DAY, type EpochSeconds, timeOf } from '../../platform/rules/time.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import type { Page, PageQuery } from '../../platform/rules/paging.ts';
import type { ActivityPorts } from '../ports.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import {
  type Owned,
  ownedDeployment,
  listDeployments,
} from '../../deployments/steps/owned-deployment.ts';
import { clientNamesOf, emailsOf } from './list-calls.ts';

type TotalCallsPorts = Pick<
  ActivityPorts,
  'calls' | 'clock' | 'deploymentEditor' | 'grants' | 'users'
> & { readonly settings: LimitsSettings };

export interface DeploymentTotal {
  readonly slug: string;
  readonly total: CallCounts;
  readonly hours: readonly HourTotal[];
}

/** In days, today included. */
const MOST_DAYS = 7;

/**
 * Calls of an owner's deployments by hour, in the order of their list.
 * @param since - the first day in UTC, at most a week ago; undefined: today
 */
export const totalOwnCalls = async (
  ports: TotalCallsPorts,
  ownerId: string,
  since: EpochSeconds | undefined,
  query: PageQuery,
): Promise<Page<DeploymentTotal>> => {
  const now = ports.clock.now();
  const from = dayIn(Math.min(now, Math.max(since ?? now, now - (MOST_DAYS - 1) * DAY)));
  const { items, ...rest } = await listDeployments(ports, ownerId, query);
  const totals = items.map((deployment) => totalOf(ports, deployment, from, dayIn(now)));
  return { ...rest, items: await Promise.all(totals) };
};

const totalOf = async (
  { calls }: Pick<ActivityPorts, 'calls'>,
  { id, slug }: Deployment,
  from: string,
  to: string,
): Promise<DeploymentTotal> => {
  const hours = hourTotals(await calls.days(id, from, to));
  return { slug, total: sumOfCalls(hours), hours };
};

const dayIn = (at: EpochSeconds): string => timeOf(at).slice(0, 10);

export interface NewestCalls extends Tally {
  /** Set if there are more calls: those since then were counted. */
  readonly countedSince: EpochSeconds | undefined;
}

export interface Callers extends NewestCalls {
  readonly callers: readonly (CallerTotal & {
    readonly email: string | undefined;
    readonly clientName: string | undefined;
  })[];
}

export interface Problems extends NewestCalls {
  readonly problems: readonly Problem[];
}

const MOST_CALLS = 5000;
const AT_ONCE = 1000;
const MOST_CALLERS = 100;
const MOST_PROBLEMS = 100;
/** Limited as well, since pages may be short. */
const MOST_PAGES = 10;

/** Callers of a deployment, from its newest calls: stored counts are by tool only. @throws ApiRefusal not_found */
export const totalCallers = async (
  ports: TotalCallsPorts,
  owned: Owned,
  since: EpochSeconds | undefined,
): Promise<Callers> => {
  const deployment = await ownedDeployment(ports, owned);
  const { read, ...counted } = await newestCalls(ports, deployment, since);
  const callers = callerTotals(read).slice(0, MOST_CALLERS);
  const shown = new Set(callers.map(({ subject }) => subject));
  const named = read.filter(({ subject }) => shown.has(subject));
  const [emails, clients] = await Promise.all([
    emailsOf(ports.users, named, deployment.ownerId),
    clientNamesOf(ports.grants, callers),
  ]);
  return {
    callers: callers.map((caller) => ({
      ...caller,
      email: emails.get(caller.subject),
      clientName: clients.get(caller.grantId),
    })),
    ...counted,
  };
};

/** Problems of the newest calls, the most frequent first. @throws ApiRefusal not_found */
export const totalProblems = async (
  ports: TotalCallsPorts,
  owned: Owned,
  since: EpochSeconds | undefined,
): Promise<Problems> => {
  const deployment = await ownedDeployment(ports, owned);
  const { read, ...counted } = await newestCalls(ports, deployment, since);
  const problems = problemsOf(read, deployment.argumentChecks);
  return { problems: problems.slice(0, MOST_PROBLEMS), ...counted };
};

const newestCalls = async (
  {
    calls,
    clock,
    settings,
  }: Pick<ActivityPorts, 'calls' | 'clock'> & { readonly settings: LimitsSettings },
  { id: deploymentId }: Deployment,
  since: EpochSeconds | undefined,
): Promise<NewestCalls & { readonly read: readonly CallRecord[] }> => {
  const from = timeOf(firstMoment(since, clock.now(), settings.limits.log_retention_days));
  const all = { tool: undefined, subjects: undefined, clientId: undefined, outcome: undefined };
  const read: CallRecord[] = [];
  let before: string | undefined = AFTER_ALL;
  for (let page = 0; page < MOST_PAGES && read.length < MOST_CALLS && before; page += 1) {
    const next = await calls.page({ ...all, deploymentId, from, before, limit: AT_ONCE });
    read.push(...next.calls);
    before = next.next;
  }
  return {
    read,
    ...tallied(read),
    countedSince:
      before === undefined ? undefined : Math.ceil(Date.parse(before.slice(0, 24)) / 1000),
  };
};
