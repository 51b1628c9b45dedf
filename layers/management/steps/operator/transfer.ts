import { canonicalEmail } from '../../../accounts/rules/email.ts';
import type { User } from '../../../accounts/rules/user.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import {
  mayUse as mayUseAs,
  type Person,
} from '../../../deployments/rules/access/access-policy.ts';
import { offersLogin } from '../../../deployments/rules/auth-methods.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import { changeOfService } from '../../../deployments/steps/change-deployment.ts';
import { findOwned } from '../../../deployments/steps/owned-deployment.ts';
import type { IdentityPorts } from '../../../identity/ports.ts';
import { withoutOwner } from '../../../identity/rules/outlook.ts';
import type { LimitsSettings } from '../../../limits/ports.ts';
import { usageSubject } from '../../../limits/rules/windows.ts';
import type { OauthPorts } from '../../../oauth/ports.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import type { PlatformSettings } from '../../../platform/ports.ts';
import { every } from '../../../platform/rules/paging.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { TargetSettings } from '../../../target/ports.ts';
import { mayUse } from '../../../target/rules/network.ts';
import { serversOf } from './servers-of.ts';

type Owners = Pick<DeploymentsPorts, 'deploymentEditor'> & Pick<AccountsPorts, 'users'>;
export type PrepareTransferPorts = Owners &
  Pick<AccountsPorts, 'clock' | 'operatorMarks'> &
  Pick<IdentityPorts, 'identityProviders'> & {
    readonly settings: LimitsSettings & PlatformSettings & TargetSettings;
  };
type TransferPorts = PrepareTransferPorts &
  Pick<AccountsPorts, 'events' | 'mailRequests'> &
  Pick<OauthPorts, 'grants' | 'mintedTokens'>;

export interface Transfer {
  /** E-mail address, or the id of an owner, who may have no account. */
  readonly from: string;
  readonly to: string;
}

interface ServerToGive extends Pick<Deployment, 'name' | 'slug' | 'status'> {
  /** Settings by which the old owner keeps access as a user: `allow_list`, `any_user`, `jwt_issuer`. */
  readonly lets_in: readonly string[];
}

export interface PreparedTransfer {
  readonly servers: readonly ServerToGive[];
  /** Servers that the new owner has already, among those named or from an unfinished transfer. */
  readonly there: readonly string[];
}

const PAGE = 100;

/**
 * Checks whether servers of an owner can be transferred, and lists them. Changes nothing.
 * @param slugs - undefined: all servers of the owner
 * @throws ApiRefusal invalid_request, not_found, limit_reached
 * Source: docs/operations.md, "Somebody leaves".
 */
export const prepareTransfer = async (
  ports: PrepareTransferPorts,
  transfer: Transfer,
  slugs?: readonly string[],
): Promise<PreparedTransfer> => {
  const owners = await ownersOf(ports, transfer);
  const found = await (slugs ? named(ports, owners, slugs) : allOf(ports, owners));
  const servers = found.filter(({ ownerId }) => ownerId === owners.from);
  for (const server of servers) checkNetwork(ports, server, owners.to);
  const active = servers.filter(({ status }) => status === 'active').length;
  await checkPlaces(ports, owners.to, active);
  const { email = '' } = (await ports.users.find(owners.from)) ?? {};
  return {
    servers: servers.map((server) => ({
      name: server.name,
      slug: server.slug,
      status: server.status,
      lets_in: lettingIn(server, { userId: owners.from, email }),
    })),
    there: found.filter(({ ownerId }) => ownerId === owners.to.id).map(({ slug }) => slug),
  };
};

/** Settings by which a person has access to a server without owning it. */
const lettingIn = (
  { access, authMethod, jwtIssuer }: Deployment,
  person: Person,
): readonly string[] => {
  const isLetIn = offersLogin(authMethod) && mayUseAs({ ownerId: '', access }, person);
  return [...(isLetIn ? [access.mode] : []), ...(jwtIssuer ? ['jwt_issuer'] : [])];
};

/** All servers of the old owner, and those of the new one whose transfer from the old one is unfinished. */
const allOf = async (ports: Owners, { from, to }: Parties): Promise<readonly Deployment[]> => {
  const [theirs, given] = await Promise.all([serversOf(ports, from), serversOf(ports, to.id)]);
  return [...theirs, ...given.filter(({ transfer }) => transfer?.from === from)];
};

const ATTEMPTS = 8;

/**
 * Transfers a server to another account with its address, clients' grants, credentials and content. Grants that the old
 * owner gave to clients there, and tokens minted for it, end; both owners get a mail. The item records the transfer
 * until all that is done, so that repeating the command finishes it.
 * @returns false if the account has the server already
 * @throws ApiRefusal invalid_request, not_found, limit_reached, conflict
 * Source: docs/operations.md, "Somebody leaves".
 */
export const transferServer = async (
  ports: TransferPorts,
  { slug, ...transfer }: Transfer & { readonly slug: string },
): Promise<boolean> => {
  const { clock, deploymentEditor, settings } = ports;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const owners = await ownersOf(ports, transfer);
    const [found] = await named(ports, owners, [slug]);
    const before = found && (await finished(ports, found));
    if (!before || before.ownerId === owners.to.id) return false;
    // The owner has changed since: check again.
    if (before.ownerId !== owners.from) continue;
    checkNetwork(ports, before, owners.to);
    await checkPlaces(ports, owners.to, before.status === 'active' ? 1 : 0);
    const after = ownedBy(before, owners.to, clock.now());
    const maxActive = settings.limits.active_deployments_per_user;
    const terms = { maxActive, owner: owners.to };
    const outcome = await deploymentEditor.replace(before, after, terms);
    if (outcome === 'limit_reached') throw noPlace(owners.to, maxActive, 1);
    if (outcome === 'stale') continue;
    await finished(ports, after);
    return true;
  }
  throw new ApiRefusal('conflict', 'Somebody else keeps changing this deployment; try again.');
};

/** Finishes a recorded transfer. @returns the server afterwards */
const finished = async (
  ports: TransferPorts,
  server: Deployment,
): Promise<Deployment | undefined> => {
  const { transfer, ownerId } = server;
  if (!transfer) return server;
  await endOf(ports, server.id, transfer);
  await tell(ports, server, transfer);
  const owner = await ports.users.find(ownerId);
  return changeOfService(ports, server, ({ transfer: noted, ...current }) => ({
    ...current,
    // A later transfer has work of its own to finish.
    ...(noted && noted.from !== transfer.from && { transfer: noted }),
    // The account's plan may have changed during the transfer, when `setOwnerPlan` did not reach this server yet.
    ...(owner?.id === current.ownerId && { ownerPlan: owner.plan }),
  }));
};

const ownedBy = (before: Deployment, to: User, now: number): Deployment => ({
  ...before,
  ownerId: to.id,
  ownerPlan: to.plan,
  ownerUsage: usageSubject(to.email),
  sealedFor: before.sealedFor ?? before.ownerId,
  transfer: { from: before.ownerId, at: now },
  updatedAt: now,
  revision: before.revision + 1,
});

interface Parties {
  readonly from: string;
  readonly to: User;
}

/** @throws ApiRefusal invalid_request */
const ownersOf = async (ports: PrepareTransferPorts, { from, to }: Transfer): Promise<Parties> => {
  const { users } = ports;
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
  if (await isGone(ports, taker)) {
    throw invalid('/to', 'an account that its company has ended', 'Choose somebody who is there.');
  }
  return { from: giver?.id ?? from, to: taker };
};

/** Whether the owner has left. Accounts that nobody has signed in to yet, or not lately, can receive servers. */
const isGone = async (
  { clock, identityProviders, operatorMarks, settings }: PrepareTransferPorts,
  user: User,
): Promise<boolean> => {
  const believed = await identityProviders.believed();
  const known = { believed, baseUrl: settings.baseUrl, now: clock.now() };
  const found = withoutOwner(known, user, await operatorMarks.has(user.id));
  return found?.what === 'left' || found?.what === 'ended';
};

/** Servers of either party. @throws ApiRefusal not_found */
const named = (
  ports: Owners,
  { from, to }: Parties,
  slugs: readonly string[],
): Promise<readonly Deployment[]> =>
  Promise.all(
    [...new Set(slugs)].map(async (slug) => {
      const found = await findOwned(ports, { slug });
      if (!found || found.status === 'removing') {
        throw new ApiRefusal('not_found', `There is no server of the name ${slug}.`);
      }
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

/** Ends the old owner's grants at this server and all tokens minted for it, from before the transfer. */
const endOf = async (
  { clock, grants, mintedTokens }: TransferPorts,
  id: string,
  { from, at }: NonNullable<Deployment['transfer']>,
): Promise<void> => {
  const now = clock.now();
  const given = every((after) => grants.pageOfUser(from, { limit: PAGE, after }, now));
  for await (const { grant } of given) {
    if (grant.deploymentId === id && grant.createdAt <= at) await grants.end(grant.id, now);
  }
  const minted = every((after) => mintedTokens.page(id, { limit: PAGE, after }));
  for await (const { jti, createdAt, revoked } of minted) {
    if (!revoked && createdAt <= at) await mintedTokens.revoke(jti);
  }
};

/** Mails both owners, without duplicates on repetition. If one mail fails, the other is still sent. @throws Fault */
const tell = async (
  { events, mailRequests, users }: TransferPorts,
  { id: deploymentId, slug, ownerId }: Deployment,
  { from, at }: NonNullable<Deployment['transfer']>,
): Promise<void> => {
  const mails = [
    { id: from, purpose: 'server_given' },
    { id: ownerId, purpose: 'server_received' },
  ] as const;
  const sent = await Promise.allSettled(
    mails.map(async ({ id, purpose }) => {
      const user = await users.find(id);
      if (!user) return;
      const mail = fingerprint(JSON.stringify([purpose, deploymentId, id, at]));
      await mailRequests.send({ id: mail, purpose, email: user.email, slug });
    }),
  );
  for (const one of sent) if (one.status === 'rejected') throw one.reason;
  // Last, so that repetitions for a failed mail do not duplicate the events.
  for (const accountId of [from, ownerId]) {
    events.record({
      type: 'security',
      event: 'deployment_transferred',
      // Of the two events, one appears in the server's activity.
      ...(accountId === ownerId && { deploymentId }),
      slug,
      accountId,
      subject: accountId,
      why: `from ${from} to ${ownerId}`,
    });
  }
};
