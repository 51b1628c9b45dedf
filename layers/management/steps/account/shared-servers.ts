import { shownServerName } from '../../../platform/rules/shown-name.ts';
import type { User } from '../../../accounts/rules/user.ts';
import { mayUse } from '../../../deployments/rules/access/access-policy.ts';
import { offersLogin } from '../../../deployments/rules/auth-methods.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { Invitation } from '../../../deployments/store/invitations.ts';
import { every } from '../../../platform/rules/paging.ts';
import type { OauthPorts } from '../../../oauth/ports.ts';

type SharedServerPorts = Pick<OauthPorts, 'clock' | 'deploymentEditor' | 'grants' | 'invitations'>;

export interface SharedServer {
  readonly deployment: Deployment;
  readonly isConnected: boolean;
}

const PAGE = 100;
/** Maximum of deployments considered; further ones are still reachable by their addresses. */
const MOST = 100;

/**
 * Deployments of other owners that a user was invited to or has connected a client to. Deployments opened to the user
 * without an invitation are missing, since no index leads from an address to access lists.
 * Source: docs/decisions/accounts.md, "Invitations".
 */
export const sharedServers = async (
  { clock, deploymentEditor, grants, invitations }: SharedServerPorts,
  user: User,
): Promise<readonly SharedServer[]> => {
  const now = clock.now();
  const known = new Map<string, Invitation & { readonly isConnected: boolean }>();
  const invited = invitations.list(user.email, now);
  const granted = every((after) => grants.pageOfUser(user.id, { limit: PAGE, after }, now));
  for await (const { grant } of granted) {
    if (known.size >= MOST) break;
    const { slug, deploymentId } = grant;
    known.set(deploymentId, { slug, deploymentId, isConnected: true });
  }
  for (const invitation of await invited) {
    if (known.size >= MOST) break;
    const { deploymentId } = invitation;
    if (!known.has(deploymentId)) known.set(deploymentId, { ...invitation, isConnected: false });
  }
  const found = await Promise.all(
    [...known.values()].map(async ({ slug, deploymentId, isConnected }) => {
      const deployment = await deploymentEditor.read(slug);
      // The slug may belong to another deployment by now, and access may have been withdrawn.
      return deployment?.id === deploymentId && isOpenTo(deployment, user)
        ? [{ deployment, isConnected }]
        : [];
    }),
  );
  return found
    .flat()
    .toSorted((one, other) =>
      shownServerName(one.deployment).localeCompare(shownServerName(other.deployment)),
    );
};

const isOpenTo = (deployment: Deployment, { id: userId, email }: User): boolean =>
  deployment.ownerId !== userId &&
  deployment.status === 'active' &&
  offersLogin(deployment.authMethod) &&
  mayUse(deployment, { userId, email });
