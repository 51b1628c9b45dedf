import type { VersionPorts } from '@hosted-mcp/core/management';
import { accountRoutes } from './account/account.ts';
import { activityRoutes } from './account/activity.ts';
import { callRoutes } from './account/calls.ts';
import { type ExportPorts, exportRoute } from './account/export.ts';
import { ownGrantRoutes } from './account/own-grants.ts';
import { totalCallRoutes } from './account/total-calls.ts';
import { credentialRoutes, type CredentialPorts } from './access/credential.ts';
import { type DeploymentPorts, deploymentRoutes } from './deployments/deployments.ts';
import type { ApiRoute } from './frame/route.ts';
import { type FramePorts, serveRoutes } from './frame/serve-routes.ts';
import { checkRoutes } from './deployments/check-description.ts';
import { doctorRoutes } from './deployments/doctor.ts';
import { galleryRoutes } from './deployments/gallery.ts';
import { grantRoutes } from './access/grants.ts';
import { jwtIssuerRoutes } from './access/jwt-issuer.ts';
import { mintedTokenRoutes } from './access/minted-tokens.ts';
import { operateAccountRoutes, type OperateAccountsPorts } from './operator/accounts.ts';
import { operateBlockRoutes, type OperateBlocksPorts } from './operator/blocks.ts';
import { operateDeploymentRoutes, type OperateDeploymentsPorts } from './operator/deployments.ts';
import { promptRoutes } from './contents/prompts.ts';
import { resourceRoutes } from './contents/resources.ts';
import { overridesSchemaRoute } from './deployments/overrides-schema.ts';
import { selfDescription } from './self-description.ts';
import { clientRoutes } from './deployments/clients.ts';
import { serverJsonRoutes } from './deployments/server-json.ts';
import { type ToolPorts, toolRoutes } from './deployments/tools.ts';
import { versionRoutes } from './deployments/versions.ts';

export type ServerPorts = FramePorts &
  Parameters<typeof accountRoutes>[0] &
  CredentialPorts &
  DeploymentPorts &
  ToolPorts &
  VersionPorts &
  Parameters<typeof jwtIssuerRoutes>[0] &
  Parameters<typeof mintedTokenRoutes>[0] &
  Parameters<typeof resourceRoutes>[0] &
  Parameters<typeof promptRoutes>[0] &
  Parameters<typeof grantRoutes>[0] &
  Parameters<typeof activityRoutes>[0] &
  Parameters<typeof callRoutes>[0] &
  Parameters<typeof totalCallRoutes>[0] &
  Parameters<typeof ownGrantRoutes>[0] &
  Parameters<typeof galleryRoutes>[0] &
  Parameters<typeof checkRoutes>[0] &
  Parameters<typeof doctorRoutes>[0] &
  ExportPorts &
  OperateAccountsPorts &
  OperateDeploymentsPorts &
  OperateBlocksPorts;

/**
 * Every route of the management API that this function serves, one file per collection.
 * Source: docs/decisions/management.md, "The management API".
 */
export const routesOf = (ports: ServerPorts): readonly ApiRoute[] => {
  const routes: readonly ApiRoute[] = [
    ...accountRoutes(ports),
    ...deploymentRoutes(ports),
    ...versionRoutes(ports),
    ...clientRoutes(ports),
    ...serverJsonRoutes(ports),
    ...toolRoutes(ports),
    ...credentialRoutes(ports),
    ...jwtIssuerRoutes(ports),
    ...mintedTokenRoutes(ports),
    ...resourceRoutes(ports),
    ...promptRoutes(ports),
    ...grantRoutes(ports),
    ...activityRoutes(ports),
    ...callRoutes(ports),
    ...totalCallRoutes(ports),
    ...ownGrantRoutes(ports),
    ...galleryRoutes(ports),
    ...checkRoutes(ports),
    ...doctorRoutes(ports),
    ...operateAccountRoutes(ports),
    ...operateDeploymentRoutes(ports),
    ...operateBlockRoutes(ports),
    overridesSchemaRoute(ports),
  ];
  const all = [...routes, exportRoute(ports, routes)];
  return [...all, selfDescription(ports, all)];
};

/** The management API on given ports. */
export const server = (ports: ServerPorts) => serveRoutes(ports, routesOf(ports));
