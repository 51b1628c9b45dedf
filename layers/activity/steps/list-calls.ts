import type { CallOutcome } from '../../events/rules/call-outcome.ts';
import { type CallRecord, firstMoment } from '../../events/rules/call-record.ts';
import { type EpochSeconds, timeOf } from '../../platform/rules/time.ts';
import { externalUserId } from '../../platform/rules/subject.ts';
import { shownName } from '../../platform/rules/shown-name.ts';
import type { ActivityPorts } from '../ports.ts';
import { AFTER_ALL } from '../rules/queries.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { type Owned, ownedDeployment } from '../../deployments/steps/owned-deployment.ts';

type ListCallsPorts = Pick<
  ActivityPorts,
  'calls' | 'clock' | 'deploymentEditor' | 'grants' | 'users'
> & { readonly settings: LimitsSettings };

/** Undefined members match everything. */
export interface WantedCalls {
  readonly tool: string | undefined;
  /** A user's e-mail address or id, an IP address, or the `sub` of the deployment's own issuer. */
  readonly subject: string | undefined;
  readonly clientId: string | undefined;
  readonly outcome: CallOutcome | undefined;
  /** First moment to show; bounded by the retention of logs. */
  readonly since: EpochSeconds | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** A call with its user's e-mail address and its client's name, where known. */
export interface NamedCall {
  readonly call: CallRecord;
  readonly email: string | undefined;
  readonly clientName: string | undefined;
}

/**
 * Single calls of a deployment, the newest first; eventually consistent.
 * @throws ApiRefusal not_found. Source: docs/decisions/storage.md, "Calls are accountable".
 */
export const listCalls = async (
  ports: ListCallsPorts,
  owned: Owned,
  { subject: said, since, after, ...wanted }: WantedCalls,
): Promise<{ readonly calls: readonly NamedCall[]; readonly next: string | undefined }> => {
  const { calls, clock, settings } = ports;
  const deployment = await ownedDeployment(ports, owned);
  const { id: deploymentId, ownerId } = deployment;
  const subjects = await subjectsOf(ports, deployment, said);
  const start = firstMoment(since, clock.now(), settings.limits.log_retention_days);
  const from = timeOf(start);
  const before = after ?? AFTER_ALL;
  const page = await calls.page({ ...wanted, deploymentId, subjects, from, before });
  const namesOf = await nameFinder(ports, page.calls, ownerId);
  return { calls: page.calls.map((call) => ({ call, ...namesOf(call) })), next: page.next };
};

export const nameFinder = async (
  { grants, users }: Pick<ListCallsPorts, 'grants' | 'users'>,
  calls: readonly CallRecord[],
  ownerId: string,
) => {
  const [emails, clients] = await Promise.all([
    emailsOf(users, calls, ownerId),
    clientNamesOf(grants, calls),
  ]);
  return ({ subject, grantId }: CallRecord): Omit<NamedCall, 'call'> => ({
    email: emails.get(subject),
    clientName: clients.get(grantId),
  });
};

/** All subjects that calls of a person may have, named as in `WantedCalls`; undefined: everybody. */
export const subjectsOf = async (
  { users }: Pick<ListCallsPorts, 'users'>,
  { jwtIssuer }: Pick<Deployment, 'jwtIssuer'>,
  said: string | undefined,
): Promise<readonly string[] | undefined> => {
  if (said === undefined) return undefined;
  const user = said.includes('@') ? await users.findByEmail(said) : undefined;
  return [
    said,
    ...(user ? [user.id] : []),
    ...(jwtIssuer ? [externalUserId(jwtIssuer.issuer, said)] : []),
  ];
};

/** Names by grant, cleaned for display; none for a deleted grant. */
export const clientNamesOf = async (
  grants: ListCallsPorts['grants'],
  calls: readonly Pick<CallRecord, 'grantId'>[],
): Promise<ReadonlyMap<string | undefined, string>> => {
  const ids = [...new Set(calls.flatMap(({ grantId }) => grantId ?? []))];
  const found = await Promise.all(ids.map((id) => grants.recordOf(id)));
  return new Map(
    found.flatMap((grant) => (grant ? [[grant.id, shownName(grant.clientName)] as const] : [])),
  );
};

/** Only of users who authorized a client here, and of the owner: other addresses are not disclosed. */
export const emailsOf = async (
  users: ListCallsPorts['users'],
  calls: readonly CallRecord[],
  ownerId: string,
): Promise<ReadonlyMap<string, string>> => {
  const known = calls.filter(
    ({ grantId, subject }) => grantId !== undefined || subject === ownerId,
  );
  const ids = [...new Set(known.map(({ subject }) => subject))];
  const found = await Promise.all(ids.map((id) => users.find(id)));
  return new Map(found.flatMap((user) => (user ? [[user.id, user.email] as const] : [])));
};
