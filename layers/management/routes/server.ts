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

const COLLECTIONS = [
  accountRoutes,
  deploymentRoutes,
  declarationRoutes,
  versionRoutes,
  clientRoutes,
  serverJsonRoutes,
  toolRoutes,
  credentialRoutes,
  jwtIssuerRoutes,
  mintedTokenRoutes,
  resourceRoutes,
  promptRoutes,
  caseRoutes,
  grantRoutes,
  invitationRoutes,
  activityRoutes,
  callRoutes,
  totalCallRoutes,
  recordingRoutes,
  ownGrantRoutes,
  sharedServerRoutes,
  personalTokenRoutes,
  trustRoutes,
  galleryRoutes,
  checkRoutes,
  doctorRoutes,
  networkRoutes,
  operateAccountRoutes,
  operateDeploymentRoutes,
  operateBlockRoutes,
];

export type ServerPorts = PortsOf<
  | (typeof COLLECTIONS)[number]
  | typeof overridesSchemaRoute
  | typeof serversSchemaRoute
  | typeof exportRoute
  | typeof selfDescription
  | typeof serveRoutes
>;

/** All routes that this function serves. Source: docs/decisions/management.md, "The management API". */
export const routesOf = (ports: ServerPorts): readonly ApiRoute[] => {
  const routes: readonly ApiRoute[] = [
    ...COLLECTIONS.flatMap((routes) => routes(ports)),
    overridesSchemaRoute(ports),
    serversSchemaRoute(ports),
  ];
  const all = [...routes, exportRoute(ports, routes)];
  return [...all, selfDescription(ports, all)];
};

export const server = (ports: ServerPorts) => serveRoutes(ports, routesOf(ports));
