import type { CallOutcome } from '../../events/rules/call-outcome.ts';
import { type CallRecord, firstMoment } from '../../events/rules/call-record.ts';
import { type EpochSeconds, timeOf } from '../../platform/rules/time.ts';
import { externalUserId } from '../../platform/rules/subject.ts';
import { shownName } from '../../oauth/rules/authorization/consent-display.ts';
import type { ActivityPorts } from '../ports.ts';
import type { LimitsSettings } from '../../limits/ports.ts';
import type { Deployment } from '../../deployments/rules/deployment.ts';
import { type Owned, ownedDeployment } from '../../deployments/steps/owned-deployment.ts';

type ListCallsPorts = Pick<
  ActivityPorts,
  'calls' | 'clock' | 'deploymentEditor' | 'grants' | 'users'
> & { readonly settings: LimitsSettings };

/** Each undefined if all are wanted. */
export interface WantedCalls {
  readonly tool: string | undefined;
  /** A user's e-mail or id, an address, or the `sub` of the deployment's own issuer. */
  readonly subject: string | undefined;
  readonly clientId: string | undefined;
  readonly outcome: CallOutcome | undefined;
  /** The first moment that counts; at most as long ago as logs are kept. */
  readonly since: EpochSeconds | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** A call, with the e-mail of the user who made it and the name of their client, where there are such. */
export interface NamedCall {
  readonly call: CallRecord;
  readonly email: string | undefined;
  readonly clientName: string | undefined;
}

/** Places that come behind every time: clocks of other instances may be ahead of ours. */
export const AFTER_ALL = '~';

/**
 * The calls of a deployment's tools one by one, the newest first. May lag behind a moment.
 *
 * @throws ApiRefusal not_found
 *
 * Source: docs/decisions/storage.md, "Calls are accountable".
 */
export const listCalls = async (
  ports: ListCallsPorts,
  owned: Owned,
  { subject: said, since, after, ...wanted }: WantedCalls,
): Promise<{ readonly calls: readonly NamedCall[]; readonly next: string | undefined }> => {
  const { calls, clock, settings, users } = ports;
  const deployment = await ownedDeployment(ports, owned);
  const { id: deploymentId, ownerId } = deployment;
  const subjects = await subjectsOf(ports, deployment, said);
  const start = firstMoment(since, clock.now(), settings.limits.log_retention_days);
  const from = timeOf(start);
  const before = after ?? AFTER_ALL;
  const page = await calls.page({ ...wanted, deploymentId, subjects, from, before });
  const [emails, clients] = await Promise.all([
    emailsOf(users, page.calls, ownerId),
    clientNamesOf(ports.grants, page.calls),
  ]);
  return {
    calls: page.calls.map((call) => ({
      call,
      email: emails.get(call.subject),
      clientName: clients.get(call.grantId),
    })),
    next: page.next,
  };
};

/** What calls of somebody may have as their subject, who was named as `WantedCalls` has it; undefined: all. */
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

/** By grant, as clients call themselves, safe to show; none of a grant that is gone. */
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

/** Of those who have let a client act for them here, and of the owner: nobody else's is told. */
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
