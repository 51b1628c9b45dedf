import { namedCredentials } from '../../../credentials/rules/deployment-credential.ts';
import { isMintedEnded } from '../../../tokens/rules/not-before.ts';
import { usageSubject } from '../../../limits/rules/windows.ts';
import { isMinterSignedOut } from '../../../accounts/rules/signed-out.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { hourTotals, sumOfCalls } from '../../../activity/rules/call-totals.ts';
import { problemsOf } from '../../../activity/rules/problems.ts';
import { DAY, dayOf, MINUTE, timeOf } from '../../../platform/rules/time.ts';
import { refusedOperations } from '../../../credentials/rules/credential-origins.ts';
import { unmetNeeds } from '../../../credentials/rules/unmet-needs.ts';
import { toolModeOf } from '../../../deployments/rules/publication.ts';
import { brokenLimits } from '../../../openapi/model-apis/client-limits.ts';
import { verdictOn } from '../../../openapi/model-apis/verdict.ts';
import { examinedNetwork } from '../../rules/networks.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import { Fault } from '../../../platform/rules/fault.ts';
import { listedTool } from '../../../openapi/tool-index.ts';
import type { ActivityPorts } from '../../../activity/ports.ts';
import type { LimitsPorts, LimitsSettings } from '../../../limits/ports.ts';
import type { PlatformSettings, PortsOf } from '../../../platform/ports.ts';
import type { TargetSettings } from '../../../target/ports.ts';
import type { TokensPorts } from '../../../tokens/ports.ts';
import { servedVersions } from '../../../platform/rules/protocol-versions.ts';
import { credentialRefusals } from '../credential/credential-refusals.ts';
import type { TokenRetrieval } from '../../rules/token-retrievals.ts';
import { ownedDeployment } from '../../../deployments/steps/owned-deployment.ts';
import { examined, type ExaminedStep, type PlanUse } from './examination.ts';

/** Number of newest minted tokens that are read to find a valid one. */
const TOKENS_LOOKED_AT = 100;
const CALLS_LOOKED_AT = 500;

/**
 * Examines a deployment by stored data alone: clients test the network better.
 *
 * @throws ApiRefusal not_found
 * Source: docs/decisions/management.md, "The doctor".
 */
export const examineDeployment = async (
  ports: PortsOf<typeof ownedDeployment | typeof credentialRefusals> &
    Pick<
      ActivityPorts,
      'activity' | 'mintedTokens' | 'notBefore' | 'refreshes' | 'toolIndexes' | 'usage' | 'versions'
    > & { readonly settings: PlatformSettings & LimitsSettings & TargetSettings },
  owner: User,
  slug: string,
): Promise<{ readonly deployment: Deployment; readonly steps: readonly ExaminedStep[] }> => {
  const { calls, clock, toolIndexes, versions } = ports;
  const deployment = await ownedDeployment(ports, { ownerId: owner.id, slug });
  const { id, version } = deployment;
  const named = namedCredentials(deployment);
  const credentials = named.map(([, its]) => its);
  const now = clock.now();
  const [index, notes, days, refused, liveTokens, retrieved, refusals, plan, refreshed] =
    await Promise.all([
      toolIndexes.find(id, version),
      versions.notes(id, version),
      calls.days(id, dayOf(now - DAY), dayOf(now)),
      calls.page({
        deploymentId: id,
        tool: undefined,
        subjects: undefined,
        clientId: undefined,
        outcome: 'refused',
        from: dayOf(now - DAY),
        before: timeOf(now + MINUTE),
        limit: CALLS_LOOKED_AT,
      }),
      deployment.authMethod === 'jwt' ? countLive(ports, owner, id, now) : 0,
      retrievalsOf(ports, deployment, now),
      Promise.all(
        named.map(async ([name, its]) => ({
          name,
          refusals: await credentialRefusals(ports, id, its),
        })),
      ),
      planUse(ports, owner, now),
      deployment.refresh === 'off' ? undefined : ports.refreshes.find(id),
    ]);
  if (!index) throw new Fault('dynamodb', 'a served version has no tool index');
  const refusedTools = index.tools
    .filter((tool) => verdictOn(listedTool(tool)).refusedBy.length > 0)
    .map(({ name }) => name);
  const steps = examined({
    deployment,
    warnings: notes?.warnings ?? [],
    unmetNeeds: unmetNeeds(notes?.credentialNeeds ?? [], credentials),
    refusedOperations: refusedOperations(index, credentials).length,
    refreshed,
    missingCredentials: retrieved
      .filter(({ outcome }) => outcome === 'missing')
      .map(({ name }) => name),
    tokenRetrievals: retrieved.filter(({ kind }) => kind !== undefined),
    credentialRefusals: refusals,
    refusedTools,
    // In search mode clients see the service's own three tools.
    brokenLimits:
      toolModeOf(deployment.publication) === 'search'
        ? []
        : brokenLimits(index.tools.map(listedTool), deployment.slug),
    liveTokens,
    calls: sumOfCalls(hourTotals(days)),
    plan,
    refused: refused.calls,
    problems: problemsOf(refused.calls, deployment.argumentChecks),
    servedVersions: servedVersions(ports.settings),
    network: examinedNetwork(ports.settings.networks, deployment),
    now,
  });
  return { deployment, steps };
};

/** Credentials in use are retrieved every few minutes: one that is missing from so many events is unused. */
const LOOKS_LOOKED_AT = 20;

/** Last retrieval of each credential, by events: the management API itself cannot read secrets. */
const retrievalsOf = async (
  { activity }: Pick<ActivityPorts, 'activity'>,
  deployment: Deployment,
  now: number,
): Promise<readonly (TokenRetrieval & { readonly kind: unknown })[]> => {
  const named = namedCredentials(deployment);
  if (named.length === 0) return [];
  const { events } = await activity.events({
    of: { deploymentId: deployment.id },
    type: 'credential_access',
    from: timeOf(now - DAY),
    before: timeOf(now + MINUTE),
    limit: LOOKS_LOOKED_AT,
  });
  return named.flatMap(([name, { version }]) => {
    const last = events.find(({ details }) => details['version'] === version);
    if (!last) return [];
    const { outcome, kind, code } = last.details;
    return [{ name, at: last.at, outcome, kind, code }];
  });
};

const planUse = async (
  {
    settings: { limits },
    usage,
  }: Pick<LimitsPorts, 'usage'> & {
    readonly settings: PlatformSettings & LimitsSettings & TargetSettings;
  },
  { email, plan }: User,
  now: number,
): Promise<PlanUse> => {
  const { hour, month } = await usage.read(usageSubject(email), plan, now);
  return {
    plan,
    hour: { used: hour, most: limits[`${plan}_requests_per_hour`] },
    month: { used: month, most: limits[`${plan}_requests_per_month`] },
  };
};

const countLive = async (
  { mintedTokens, notBefore }: Pick<TokensPorts, 'mintedTokens' | 'notBefore'>,
  owner: User,
  deploymentId: string,
  now: number,
): Promise<number> => {
  const [ended, { items }] = await Promise.all([
    notBefore.find(),
    mintedTokens.page(deploymentId, { limit: TOKENS_LOOKED_AT }),
  ]);
  return items.filter(
    (token) =>
      !token.revoked &&
      now < token.expiresAt &&
      !isMinterSignedOut(owner, token) &&
      !isMintedEnded(ended, token.createdAt),
  ).length;
};
