import type { User } from '../../../accounts/rules/user.ts';
import type { AccountsPorts } from '../../../accounts/ports.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { OauthPorts } from '../../../oauth/ports.ts';
import { fingerprint } from '../../../platform/rules/fingerprint.ts';
import { endPersonalTokens } from '../../../accounts/steps/personal-tokens.ts';
import { endTrusts } from '../../../accounts/steps/trusts.ts';
import { signOut } from '../../../accounts/steps/sign-out.ts';
import { finishRemoval } from '../../../servers/steps/deployments/remove-deployment.ts';
import { every } from '../../../platform/rules/paging.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import { canonicalEmail } from '../../../accounts/rules/email.ts';
import type { PortsOf } from '../../../platform/ports.ts';

type RemoveAccountPorts = PortsOf<typeof finishRemoval> &
  Pick<AccountsPorts, 'operatorMarks' | 'personalTokens' | 'trusts' | 'users'> &
  Pick<DeploymentsPorts, 'invitations'>;

const PAGE = 100;

/**
 * Removes a user and all that they own. Sessions and tokens end first, so that nothing new starts; the user record goes
 * last, so that the person can sign in and repeat an interrupted removal.
 * Source: docs/decisions/management.md, "Removal".
 */
export const removeAccount = async (ports: RemoveAccountPorts, user: User): Promise<void> => {
  const { email } = await signOut(ports, user);
  const deployments = every((after) =>
    ports.deploymentEditor.listByOwner(user.id, { limit: PAGE, after }),
  );
  for await (const { slug } of deployments) await removeOwned(ports, user.id, slug);
  // The list is eventually consistent; `activeSlugs` is not.
  for (const slug of await ports.deploymentEditor.activeSlugs(user.id)) {
    await removeOwned(ports, user.id, slug);
  }
  const used = await endGrants(ports, user.id);
  const given = await ports.deploymentEditor.givenAway(user.id);
  for (const id of new Set([...used, ...given])) {
    await ports.recordedCalls.removeOf(id, fingerprint(user.id));
  }
  await endPersonalTokens(ports, user.id);
  await endTrusts(ports, user.id);
  await ports.invitations.forget(email);
  await ports.deploymentEditor.forgetOwner(user.id);
  await ports.operatorMarks.remove(user.id);
  await removeUser(ports, user.id);
};

const ATTEMPTS = 5;

/** A company may have given the account another address since the removal began. @throws ApiRefusal conflict */
const removeUser = async ({ users }: Pick<AccountsPorts, 'users'>, id: string): Promise<void> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const user = await users.find(id);
    if (!user || (await users.remove(user))) return;
  }
  throw new ApiRefusal('conflict', 'The account was changed at the same time; try again.');
};

/** Ends the listed grants of a user; the sign-out has ended all others. @returns ids of the deployments */
export const endGrants = async (
  { clock, grants }: Pick<OauthPorts, 'clock' | 'grants'>,
  userId: string,
): Promise<ReadonlySet<string>> => {
  const now = clock.now();
  const given = every((after) => grants.pageOfUser(userId, { limit: PAGE, after }, now));
  const deploymentIds = new Set<string>();
  for await (const { grant } of given) {
    await grants.end(grant.id, now);
    deploymentIds.add(grant.deploymentId);
  }
  return deploymentIds;
};

const removeOwned = async (
  ports: RemoveAccountPorts,
  ownerId: string,
  slug: string,
): Promise<void> => {
  const { deploymentEditor, clock } = ports;
  const found = await deploymentEditor.read(slug);
  if (found?.ownerId !== ownerId) return;
  const removing = {
    ...found,
    status: 'removing' as const,
    updatedAt: clock.now(),
    revision: found.revision + 1,
  };
  if (found.status !== 'removing') {
    const outcome = await deploymentEditor.replace(found, removing);
    if (outcome !== 'replaced') return removeOwned(ports, ownerId, slug);
  }
  await finishRemoval(ports, removing);
};

/** Removes an account and all that it owns. Repeatable. @returns its id; undefined where there is none */
export const eraseAccount = async (
  ports: RemoveAccountPorts,
  email: string,
): Promise<string | undefined> => {
  const address = canonicalEmail(email);
  // Somebody invited may have no account yet.
  await ports.invitations.forget(address);
  const user = await ports.users.findByEmail(address);
  if (!user) return undefined;
  await removeAccount(ports, user);
  return user.id;
};
