import { signedOutFrom } from '../../domain/accounts/signed-out.ts';
import type { User } from '../../domain/accounts/user.ts';
import { ApiRefusal } from '../../domain/refusal.ts';
import type { Ports } from '../../ports.ts';
import { every, finishRemoval, type RemoveDeploymentPorts } from './remove-deployment.ts';

export type RemoveAccountPorts = RemoveDeploymentPorts & Pick<Ports, 'users'>;

const PAGE = 100;
const ATTEMPTS = 8;

/**
 * Removes a user and all that is theirs. Sessions end first, so that nothing new begins; the user goes
 * last, so that whoever finds the removal broken off can sign in and repeat it.
 *
 * Source: management-api.md, "DELETE /account".
 */
export const removeAccount = async (ports: RemoveAccountPorts, user: User): Promise<void> => {
  await signOut(ports, user);
  const deployments = every((after) =>
    ports.deploymentEditor.listByOwner(user.id, { limit: PAGE, after }),
  );
  for await (const { slug } of deployments) await removeOwned(ports, user.id, slug);
  // The list may lag behind; what is reserved does not.
  for (const { slug } of await ports.ownedSlugs.list(user.id)) {
    await removeOwned(ports, user.id, slug);
  }
  await endGrants(ports, user.id);
  await ports.ownedSlugs.forget(user.id);
  await ports.users.remove(user);
};

/** Those that the user has given to clients, of whoever's deployments. */
const endGrants = async ({ clock, grants }: RemoveAccountPorts, userId: string): Promise<void> => {
  const now = clock.now();
  const given = every((after) => grants.pageOfUser(userId, { limit: PAGE, after }, now));
  for await (const { grant } of given) await grants.end(grant.id, now);
};

const signOut = async ({ clock, users }: RemoveAccountPorts, user: User): Promise<void> => {
  let current: User | undefined = user;
  for (let attempt = 0; current && attempt < ATTEMPTS; attempt += 1) {
    const { revision } = current;
    const signedOutAt = signedOutFrom(clock.now());
    if (await users.replace({ ...current, signedOutAt, revision: revision + 1 })) return;
    current = await users.find(user.id);
  }
  if (current) throw new ApiRefusal('conflict', 'The account keeps changing; try again.');
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
  if (found.status !== 'removing' && !(await deploymentEditor.replace(removing))) {
    return removeOwned(ports, ownerId, slug);
  }
  await finishRemoval(ports, removing);
};
