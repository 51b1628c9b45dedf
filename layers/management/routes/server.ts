import type { OwnCallsPorts } from '../../activity/steps/own-calls.ts';
import type { VersionPorts } from '../../servers/steps/deployments/versions.ts';
import { accountRoutes } from './account/account.ts';
import { activityRoutes } from '../../activity/routes/activity.ts';
import { callRoutes } from '../../activity/routes/calls.ts';
import { exportRoute } from './account/export.ts';
import { ownGrantRoutes } from './account/own-grants.ts';
import { personalTokenRoutes } from './account/personal-tokens.ts';
import { sharedServerRoutes } from './account/shared-servers.ts';
import { trustRoutes } from './account/trusts.ts';
import { totalCallRoutes } from '../../activity/routes/total-calls.ts';
import { credentialRoutes } from '../../servers/routes/access/credential.ts';
import { deploymentRoutes } from '../../servers/routes/deployments.ts';
import type { ApiRoute } from '../../api/route.ts';
import { serveRoutes } from '../../api/serve-routes.ts';
import { declarationRoutes } from '../../declarations/routes/declarations.ts';
import { serversSchemaRoute } from '../../declarations/routes/servers-schema.ts';
import { caseRoutes } from '../../servers/routes/cases.ts';
import { checkRoutes } from '../../servers/routes/check-description.ts';
import { clientRoutes, doctorRoutes, serverJsonRoutes } from '../../servers/routes/connecting.ts';
import { galleryRoutes } from '../../servers/routes/gallery.ts';
import { networkRoutes } from '../../servers/routes/networks.ts';
import { invitationRoutes } from '../../servers/routes/access/invitations.ts';
import { grantRoutes } from '../../servers/routes/access/grants.ts';
import { jwtIssuerRoutes } from '../../servers/routes/access/jwt-issuer.ts';
import { mintedTokenRoutes } from '../../servers/routes/access/minted-tokens.ts';
import { operateAccountRoutes } from './operator/accounts.ts';
import { operateBlockRoutes } from './operator/blocks.ts';
import { operateDeploymentRoutes } from './operator/deployments.ts';
import { promptRoutes } from '../../contents/routes/prompts.ts';
import { recordingRoutes } from '../../activity/routes/recordings.ts';
import { resourceRoutes } from '../../contents/routes/resources.ts';
import { overridesSchemaRoute } from '../../servers/routes/overrides-schema.ts';
import { selfDescription } from './self-description.ts';
import { toolRoutes } from '../../servers/routes/tools.ts';
import { versionRoutes } from '../../servers/routes/versions.ts';
import type { PortsOf } from '../../platform/ports.ts';

export type ServerPorts = PortsOf<
  | typeof toolRoutes
  | typeof operateDeploymentRoutes
  | typeof operateBlockRoutes
  | typeof deploymentRoutes
  | typeof declarationRoutes
  | typeof operateAccountRoutes
  | typeof serveRoutes
  | typeof credentialRoutes
> &
  Parameters<typeof accountRoutes>[0] &
  VersionPorts &
  Parameters<typeof jwtIssuerRoutes>[0] &
  Parameters<typeof mintedTokenRoutes>[0] &
  Parameters<typeof resourceRoutes>[0] &
  Parameters<typeof promptRoutes>[0] &
  Parameters<typeof grantRoutes>[0] &
  Parameters<typeof invitationRoutes>[0] &
  Parameters<typeof sharedServerRoutes>[0] &
  Parameters<typeof activityRoutes>[0] &
  Parameters<typeof callRoutes>[0] &
  Parameters<typeof totalCallRoutes>[0] &
  Parameters<typeof recordingRoutes>[0] &
  Parameters<typeof ownGrantRoutes>[0] &
  Parameters<typeof personalTokenRoutes>[0] &
  Parameters<typeof trustRoutes>[0] &
  Parameters<typeof galleryRoutes>[0] &
  Parameters<typeof caseRoutes>[0] &
  Parameters<typeof checkRoutes>[0] &
  Parameters<typeof doctorRoutes>[0] &
  OwnCallsPorts;

/**
 * Every route of the management API that this function serves, one file per collection.
 * Source: docs/decisions/management.md, "The management API".
 */
export const routesOf = (ports: ServerPorts): readonly ApiRoute[] => {
  const routes: readonly ApiRoute[] = [
    ...accountRoutes(ports),
    ...deploymentRoutes(ports),
    ...declarationRoutes(ports),
    ...versionRoutes(ports),
    ...clientRoutes(ports),
    ...serverJsonRoutes(ports),
    ...toolRoutes(ports),
    ...credentialRoutes(ports),
    ...jwtIssuerRoutes(ports),
    ...mintedTokenRoutes(ports),
    ...resourceRoutes(ports),
    ...promptRoutes(ports),
    ...caseRoutes(ports),
    ...grantRoutes(ports),
    ...invitationRoutes(ports),
    ...activityRoutes(ports),
    ...callRoutes(ports),
    ...totalCallRoutes(ports),
    ...recordingRoutes(ports),
    ...ownGrantRoutes(ports),
    ...sharedServerRoutes(ports),
    ...personalTokenRoutes(ports),
    ...trustRoutes(ports),
    ...galleryRoutes(ports),
    ...checkRoutes(ports),
    ...doctorRoutes(ports),
    ...networkRoutes(ports),
    ...operateAccountRoutes(ports),
    ...operateDeploymentRoutes(ports),
    ...operateBlockRoutes(ports),
    overridesSchemaRoute(ports),
    serversSchemaRoute(ports),
  ];
  const all = [...routes, exportRoute(ports, routes)];
  return [...all, selfDescription(ports, all)];
};

export const server = (ports: ServerPorts) => serveRoutes(ports, routesOf(ports));
