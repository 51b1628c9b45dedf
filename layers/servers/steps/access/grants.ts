import { isSignedOut } from '../../../accounts/rules/signed-out.ts';
import { endOfGrant } from '../../../tokens/rules/not-before.ts';
import { ApiRefusal } from '../../../platform/rules/refusal/api-refusal.ts';
import type { ActiveGrant } from '../../../oauth/rules/grants.ts';
import type { Page, PageQuery } from '../../../platform/rules/paging.ts';
import type { OauthPorts } from '../../../oauth/ports.ts';
import { type Owned, ownedDeployment } from '../../../deployments/steps/owned-deployment.ts';

type GrantPorts = Pick<
  OauthPorts,
  'clock' | 'deploymentEditor' | 'events' | 'grants' | 'notBefore' | 'users'
>;

/**
 * A page may have fewer entries than its limit where operators ended some, or users signed out.
 *
 * @throws ApiRefusal not_found
 */
export const listGrants = async (
  ports: GrantPorts,
  owned: Owned,
  query: PageQuery,
): Promise<Page<ActiveGrant>> => {
  const { id } = await ownedDeployment(ports, owned);
  const [ended, page] = await Promise.all([
    ports.notBefore.find(),
    ports.grants.page(id, query, ports.clock.now()),
  ]);
  const ids = [...new Set(page.items.map(({ grant }) => grant.userId))];
  const users = await Promise.all(ids.map((userId) => ports.users.find(userId)));
  const signedOutAt = new Map(users.flatMap((user) => (user ? [[user.id, user.signedOutAt]] : [])));
  const items = page.items.filter(
    ({ grant }) =>
      !isSignedOut({ signedOutAt: signedOutAt.get(grant.userId) ?? 0 }, grant.createdAt) &&
      endOfGrant(ended, { ...grant, grantedAt: grant.createdAt }) === undefined,
  );
  return { ...page, items };
};

/**
 * Idempotent, so that an interrupted call can be repeated.
 *
 * @throws ApiRefusal not_found, also for a grant of another deployment
 */
export const revokeGrant = async (
  ports: GrantPorts,
  owned: Owned & { readonly grantId: string },
): Promise<void> => {
  const { clock, events, grants } = ports;
  const { grantId } = owned;
  const [deployment, grant] = await Promise.all([
    ownedDeployment(ports, owned),
    grants.recordOf(grantId),
  ]);
  const { id: deploymentId, slug, ownerId } = deployment;
  if (grant?.deploymentId !== deploymentId) {
    throw new ApiRefusal('not_found', 'The deployment has no grant of this id.');
  }
  await grants.end(grantId, clock.now());
  const event = 'grant_revoked';
  const why = grantId;
  events.record({ type: 'security', event, deploymentId, slug, subject: ownerId, why });
};
