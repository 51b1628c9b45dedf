import { canonicalEmail } from '../../../accounts/rules/email.ts';
import { isEnded } from '../../../accounts/rules/standing.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { ownedDeployment } from '../../../deployments/steps/owned-deployment.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import { usageSubject } from '../../../limits/rules/windows.ts';
import type { OauthPorts } from '../../../oauth/ports.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import { every } from '../../../platform/rules/paging.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { TargetSettings } from '../../../target/ports.ts';
import { mayUse } from '../../../target/rules/network.ts';
import { serversOf } from './servers-of.ts';

type Owners = Pick<DeploymentsPorts, 'deploymentEditor'> & Pick<AccountsPorts, 'users'>;
export type PrepareTransferPorts = Owners & { readonly settings: LimitsSettings & TargetSettings };
export type TransferPorts = PrepareTransferPorts &
  Pick<AccountsPorts, 'clock' | 'events' | 'mailRequests'> &
  Pick<OauthPorts, 'grants' | 'mintedTokens'>;

/** Whose servers go to whom. */
export interface Transfer {
  /** An address, or the id of an owner, who may have no account. */
  readonly from: string;
  /** The address of an account. */
  readonly to: string;
}

export interface PreparedTransfer {
  /** Those that would go, the newest first. */
  readonly servers: readonly Pick<Deployment, 'name' | 'slug' | 'status'>[];
  /** Of those that were asked for, which the account has already. */
  readonly there: readonly string[];
}

const PAGE = 100;

/**
 * What would go from an owner to another, and whether it can. It changes nothing.
 *
 * @param slugs - undefined: all that the owner has
 * @throws ApiRefusal invalid_request, not_found, limit_reached
 *
 * Source: docs/operations.md, "Somebody leaves".
 */
export const prepareTransfer = async (
  ports: PrepareTransferPorts,
  transfer: Transfer,
  slugs?: readonly string[],
): Promise<PreparedTransfer> => {
  const owners = await ownersOf(ports, transfer);
  const found = await (slugs ? named(ports, owners, slugs) : serversOf(ports, owners.from));
  const servers = found.filter(({ ownerId }) => ownerId === owners.from);
  for (const server of servers) checkNetwork(ports, server, owners.to);
  const active = servers.filter(({ status }) => status === 'active').length;
  await checkPlaces(ports, owners.to, active);
  return {
    servers: servers.map(({ name, slug, status }) => ({ name, slug, status })),
    there: found.filter(({ ownerId }) => ownerId === owners.to.id).map(({ slug }) => slug),
  };
};

const ATTEMPTS = 8;

/**
 * Gives a server to another account, as it is: its address, its clients' grants, its credentials, its content. What the
 * owner before was granted at it, and has minted for it, ends. Plan and limits are those of the owner that it has then.
 *
 * @returns whether it was given; false where the account has it already
 * @throws ApiRefusal invalid_request, not_found, limit_reached, conflict
 *
 * Source: docs/operations.md, "Somebody leaves".
 */
export const transferServer = async (
  ports: TransferPorts,
  { slug, ...transfer }: Transfer & { readonly slug: string },
): Promise<boolean> => {
  const { clock, deploymentEditor, settings } = ports;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const owners = await ownersOf(ports, transfer);
    const [before] = await named(ports, owners, [slug]);
    if (!before || before.ownerId === owners.to.id) return false;
    checkNetwork(ports, before, owners.to);
    await checkPlaces(ports, owners.to, before.status === 'active' ? 1 : 0);
    // First, so that a repetition after it is the owner's no more has nothing left to end.
    await endOf(ports, before);
    const after = ownedBy(before, owners.to, clock.now());
    const maxActive = settings.limits.active_deployments_per_user;
    const terms = { maxActive, owner: owners.to };
    const outcome = await deploymentEditor.replace(before, after, terms);
    if (outcome === 'limit_reached') throw noPlace(owners.to, maxActive, 1);
    if (outcome === 'stale') continue;
    await tell(ports, before, after);
    return true;
  }
  throw new ApiRefusal('conflict', 'Somebody else keeps changing this deployment; try again.');
};

const ownedBy = (before: Deployment, to: User, now: number): Deployment => ({
  ...before,
  ownerId: to.id,
  ownerPlan: to.plan,
  ownerUsage: usageSubject(to.email),
  sealedFor: before.sealedFor ?? before.ownerId,
  updatedAt: now,
  revision: before.revision + 1,
});

interface Parties {
  readonly from: string;
  readonly to: User;
}

/** @throws ApiRefusal invalid_request */
const ownersOf = async ({ users }: Owners, { from, to }: Transfer): Promise<Parties> => {
  const [giver, taker] = await Promise.all([
    from.includes('@') ? users.findByEmail(canonicalEmail(from)) : undefined,
    users.findByEmail(canonicalEmail(to)),
  ]);
  if (from.includes('@') && !giver) {
    throw invalid(
      '/from',
      'the e-mail address of nobody here',
      'Look it up: npx --no-install hosted-mcp admin people.',
    );
  }
  if (!taker) {
    throw invalid(
      '/to',
      'the e-mail address of nobody here',
      'Make the account first: npx --no-install hosted-mcp admin account EMAIL.',
    );
  }
  if (taker.id === (giver?.id ?? from)) {
    throw invalid('/to', 'the same account', 'Name the account that is to have the servers.');
  }
  if (isEnded(taker)) {
    throw invalid('/to', 'an account that its company has ended', 'Choose somebody who is there.');
  }
  return { from: giver?.id ?? from, to: taker };
};

/** Those of the one or the other. @throws ApiRefusal not_found */
const named = (
  ports: Owners,
  { from, to }: Parties,
  slugs: readonly string[],
): Promise<readonly Deployment[]> =>
  Promise.all(
    slugs.map(async (slug) => {
      const found = await ownedDeployment(ports, { slug });
      if ([from, to.id].includes(found.ownerId)) return found;
      throw new ApiRefusal('not_found', `${slug} is a server of somebody else.`);
    }),
  );

/** @throws ApiRefusal invalid_request */
const checkNetwork = (
  { settings: { networks = [] } }: PrepareTransferPorts,
  { slug, network }: Deployment,
  { email }: User,
): void => {
  const used = networks.find(({ name }) => name === network);
  if (!used || mayUse(used, email)) return;
  throw invalid(
    '/to',
    `${slug} is in the private network ${used.name}, which this account may not use`,
    'Let it use the network, or choose another account.',
  );
};

/** @throws ApiRefusal limit_reached */
const checkPlaces = async (
  { deploymentEditor, settings }: PrepareTransferPorts,
  to: User,
  more: number,
): Promise<void> => {
  const most = settings.limits.active_deployments_per_user;
  if (more === 0) return;
  const { length } = await deploymentEditor.activeSlugs(to.id);
  if (length + more > most) throw noPlace(to, most, more);
};

const noPlace = ({ email }: User, most: number, more: number) =>
  new ApiRefusal(
    'limit_reached',
    `${email} may have ${most} active servers, and has no place for ${more} more. Choose another account, or raise the limit.`,
    [],
    'active deployments',
    { limit: 'active_deployments_per_user' },
  );

const invalid = (where: string, what: string, hint: string) =>
  new ApiRefusal('invalid_request', 'Nothing was transferred.', [{ where, what, hint }]);

/** What the owner has had as its owner: clients that they let in there, and tokens that they minted. */
const endOf = async (
  { clock, grants, mintedTokens }: TransferPorts,
  { id, ownerId }: Deployment,
): Promise<void> => {
  const now = clock.now();
  const given = every((after) => grants.pageOfUser(ownerId, { limit: PAGE, after }, now));
  for await (const { grant } of given) {
    if (grant.deploymentId === id) await grants.end(grant.id, now);
  }
  const minted = every((after) => mintedTokens.page(id, { limit: PAGE, after }));
  for await (const { jti, revoked } of minted) if (!revoked) await mintedTokens.revoke(jti);
};

const tell = async (
  { events, mailRequests, users }: TransferPorts,
  before: Deployment,
  { id: deploymentId, slug, ownerId, revision }: Deployment,
): Promise<void> => {
  const event = 'deployment_transferred';
  const why = `from ${before.ownerId} to ${ownerId}`;
  for (const accountId of [before.ownerId, ownerId]) {
    events.record({
      type: 'security',
      event,
      // Once on the time line of the server.
      ...(accountId === ownerId && { deploymentId }),
      slug,
      accountId,
      subject: accountId,
      why,
    });
  }
  const mails = [
    { id: before.ownerId, purpose: 'server_given' },
    { id: ownerId, purpose: 'server_received' },
  ] as const;
  for (const { id, purpose } of mails) {
    const user = await users.find(id);
    if (!user) continue;
    await mailRequests.send({
      id: fingerprint(JSON.stringify([purpose, deploymentId, revision])),
      purpose,
      email: user.email,
      slug,
    });
  }
};
