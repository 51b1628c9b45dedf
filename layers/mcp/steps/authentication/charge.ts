import type { CredentialsPorts } from '../../../credentials/ports.ts';
import type { Anonymous, Caller, TokenHolder } from '../rpc-call.ts';
import { TOOL_SCOPES, type ToolScope } from '../../../tokens/rules/authorization.ts';
import { RouterRefusal, type RpcIds } from '../../../platform/rules/refusal/router-refusal.ts';
import { addressSubject } from '../../../platform/rules/subject.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';

type ChargePorts = Pick<CredentialsPorts, 'clock' | 'events' | 'publicRequests' | 'usage'>;

interface Charge {
  readonly deployment: Deployment;
  readonly caller: Caller;
  readonly cost: number;
  /** The ids that a refusal repeats; a list for a batch. */
  readonly answersTo: RpcIds;
}

/**
 * Counts requests before they are carried out: against the plan of a user, or the limit of an IP address.
 * @param meanwhile - a read that runs in parallel; its own reader sees its failure
 * @throws RouterRefusal rate_limited
 * @throws Fault if the store is down: nobody passes uncounted
 * Source: docs/decisions/limits.md, "Quotas", "Public deployments".
 */
export const charge = async (
  ports: ChargePorts,
  wanted: Charge,
  meanwhile?: Promise<unknown>,
): Promise<void> => {
  const [counted] = await Promise.allSettled([count(ports, wanted), meanwhile]);
  if (counted.status === 'rejected') throw counted.reason;
};

interface Uncounted {
  readonly deployment: Deployment;
  readonly sourceIp: string;
  readonly answersTo: RpcIds;
}

/**
 * Counts a request that is not counted otherwise, if the deployment is public.
 * @throws RouterRefusal rate_limited
 * @throws Fault if the store is down. Source: docs/decisions/limits.md, "Public deployments".
 */
export const chargeIfPublic = async (ports: ChargePorts, request: Uncounted): Promise<void> => {
  if (request.deployment.authMethod === 'none') await chargeAddress(ports, request);
};

/** Counts against the address in any authentication mode, for pages that everybody may read. */
export const chargeAddress = async (
  ports: ChargePorts,
  { deployment, sourceIp, answersTo }: Uncounted,
): Promise<void> => {
  const caller = { kind: 'anonymous', subject: addressSubject(sourceIp) } as const;
  await charge(ports, { deployment, caller, cost: 1, answersTo });
};

const count = async (ports: ChargePorts, wanted: Charge): Promise<void> => {
  const { caller, cost } = wanted;
  if (cost === 0) return;
  await (caller.kind === 'anonymous'
    ? countAddress(ports, wanted, caller)
    : countHolder(ports, wanted, caller));
};

const countAddress = async (
  { clock, events, publicRequests }: ChargePorts,
  { deployment: { id: deploymentId, slug }, cost, answersTo }: Charge,
  { subject }: Anonymous,
): Promise<void> => {
  const verdict = await publicRequests.count({ subject, deploymentId, slug }, cost, clock.now());
  if (verdict.allowed) return;

  const { retryAfterSeconds, blockedNow } = verdict;
  const why = 'public_requests_per_minute_per_ip';
  if (blockedNow) {
    const event = 'ip_blocked';
    const where = blockedNow === 'everywhere' ? `${why}, over all deployments` : why;
    events.record({ type: 'security', event, deploymentId, slug, subject, why: where });
  }
  throw rateLimited('Too many requests.', retryAfterSeconds, answersTo, why);
};

const countHolder = async (
  { clock, events, usage }: ChargePorts,
  { deployment: { id: deploymentId, slug, ownerId }, cost, answersTo }: Charge,
  { subject: own, plan, usage: spent = own, totalUsage }: TokenHolder,
): Promise<void> => {
  const verdict = await usage.take(spent, plan, cost, clock.now(), totalUsage);
  if (verdict.allowed) {
    for (const { window, limit, isTotal } of verdict.warnings) {
      const subject = isTotal ? ownerId : own;
      const type = 'quota_warning';
      events.record({ type, deploymentId, slug, subject, plan, window, limit });
    }
    return;
  }
  const { window, limit, isTotal, retryAfterSeconds } = verdict;
  const what = `limit of ${limit} requests per ${window}`;
  throw rateLimited(
    isTotal
      ? `The ${what} is reached by all callers of this issuer together.`
      : `The plan's ${what} is reached.`,
    retryAfterSeconds,
    answersTo,
    `${plan}_${isTotal ? 'issuer_' : ''}requests_per_${window}`,
  );
};

const rateLimited = (
  what: string,
  retryAfterSeconds: number | undefined,
  answersTo: RpcIds,
  why: string,
): RouterRefusal => {
  const hint =
    retryAfterSeconds === undefined
      ? 'One batch may not hold as many: send fewer at a time.'
      : `Try again in ${retryAfterSeconds} seconds.`;
  const details = { ...(retryAfterSeconds !== undefined && { retryAfterSeconds }), answersTo };
  return new RouterRefusal('rate_limited', `${what} ${hint}`, details, why);
};

/**
 * A batch is refused entirely if one of its messages lacks a scope: half of it done would be hard to repeat with
 * another token. The challenge names missing scopes and those that the token has: clients request exactly what it
 * lists, and would otherwise trade one scope for another.
 * @throws RouterRefusal insufficient_scope. Source: RFC 6750 §3.1; docs/decisions/oauth.md, "Scopes".
 */
export const checkScopes = (caller: Caller, needed: readonly ToolScope[]): void => {
  if (caller.kind === 'anonymous') return;
  const { scopes, resourceMetadataUrl } = caller;
  const missing = needed.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return;
  throw new RouterRefusal('insufficient_scope', `The token lacks: ${missing.join(', ')}.`, {
    scopes: TOOL_SCOPES.filter((scope) => needed.includes(scope) || scopes.includes(scope)),
    ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
  });
};
