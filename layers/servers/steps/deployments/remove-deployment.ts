import { every } from '../../../platform/rules/paging.ts';
import { credentialPlaces } from '../../../credentials/rules/deployment-credential.ts';
import type { Deployment } from '../../../deployments/rules/deployment.ts';
import type { Permission } from '../../../accounts/rules/permission.ts';
import { checkManagedBy } from '../../../deployments/rules/manager.ts';
import type { ActivityPorts } from '../../../activity/ports.ts';
import type { CredentialsPorts } from '../../../credentials/ports.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { OauthPorts } from '../../../oauth/ports.ts';
import type { PlatformPorts } from '../../../platform/ports.ts';
import type { TokensPorts } from '../../../tokens/ports.ts';
import { checkRevision, type Revisions } from '../../../deployments/rules/revision.ts';
import {
  changeDeployment,
  type ChangeDeploymentPorts,
} from '../../../deployments/steps/change-deployment.ts';
import {
  findOwned,
  noDeployment,
  type Owned,
} from '../../../deployments/steps/owned-deployment.ts';

type RemoveDeploymentPorts = ChangeDeploymentPorts &
  Pick<
    ActivityPorts,
    'credentialVault' | 'grants' | 'mintedTokens' | 'recordedCalls' | 'recordingKeys' | 'versions'
  >;

/**
 * Removes a deployment and all its contents. The first write hides it from everybody; the rest may be interrupted
 * anywhere, and is completed by a repetition, by a new deployment of the same slug, or by the sweep.
 *
 * @param owned - `by` is the declaration on whose behalf it is removed
 * @throws ApiRefusal not_found, managed, stale, conflict, token_not_allowed
 * Source: docs/decisions/management.md, "Removal".
 */
export const removeDeployment = async (
  ports: RemoveDeploymentPorts,
  may: Permission<'managed_removal' | 'removal'>,
  { by, ...owned }: Owned & { readonly revisions?: Revisions; readonly by?: string | undefined },
): Promise<void> => {
  const found = await findOwned(ports, owned);
  if (!found) throw noDeployment();
  if (by !== undefined) checkManagedBy(found, by);
  may.check(by === undefined || found.managedBy?.isAdopted ? 'removal' : 'managed_removal', {
    doing: `remove ${found.slug}${by === undefined ? '' : ', which was there before its declaration took it over'}`,
    instead: 'What a declaration has made itself, its token removes with `managed_by`.',
  });
  if (found.status !== 'removing') {
    checkRevision(found, owned.revisions);
    const change = (current: Deployment): Deployment => ({ ...current, status: 'removing' });
    await changeDeployment(ports, found, change, owned.revisions);
  }
  await finishRemoval(ports, found);
};

/** Removes a deployment's contents, then the deployment. Idempotent. */
export const finishRemoval = async (
  ports: RemoveDeploymentPorts,
  deployment: Deployment,
): Promise<void> => {
  const { clock, deploymentEditor } = ports;
  await removeContents(ports, deployment.id, deployment.credentialNames);
  await ports.recordedCalls.removeAll(deployment.id);
  // The sweep looks again, since a concurrent request may store something after this.
  await deploymentEditor.remove(deployment, clock.now());
};

export interface RemoveContentsPorts extends Pick<PlatformPorts, 'clock'> {
  readonly credentialVault: Pick<CredentialsPorts['credentialVault'], 'remove'>;
  readonly grants: Pick<OauthPorts['grants'], 'page' | 'end'>;
  readonly mintedTokens: Pick<TokensPorts['mintedTokens'], 'page' | 'revoke'>;
  readonly recordingKeys: Pick<ActivityPorts['recordingKeys'], 'remove'>;
  readonly versions: Pick<DeploymentsPorts['versions'], 'removeAll'>;
}

const PAGE = 100;

/** Idempotent. @param credentialNames - of credentials besides `main` */
export const removeContents = async (
  ports: RemoveContentsPorts,
  deploymentId: string,
  credentialNames?: readonly string[],
): Promise<void> => {
  const { clock, credentialVault, grants, mintedTokens, versions } = ports;
  const now = clock.now();
  // Keys go first, since recordings are unreadable without them.
  await ports.recordingKeys.remove(deploymentId);
  await Promise.all(
    credentialPlaces(deploymentId, credentialNames).map((place) => credentialVault.remove(place)),
  );
  for await (const { grant } of every((after) =>
    grants.page(deploymentId, { limit: PAGE, after }, now),
  )) {
    await grants.end(grant.id, now);
  }
  for await (const { jti, revoked } of every((after) =>
    mintedTokens.page(deploymentId, { limit: PAGE, after }),
  )) {
    if (!revoked) await mintedTokens.revoke(jti);
  }
  await versions.removeAll(deploymentId);
};
