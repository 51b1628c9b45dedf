import type { DescribeAccountPorts } from '@hosted-mcp/core/management';
import { accountRoutes } from './account.ts';
import { credentialRoutes, type CredentialPorts } from './credential.ts';
import type { ApiRoute } from './frame/route.ts';
import { type FramePorts, serveRoutes } from './frame/serve-routes.ts';
import { selfDescription } from './self-description.ts';

export type ServerPorts = FramePorts & DescribeAccountPorts & CredentialPorts;

/** Every route of the management API that this function serves, one file per collection. Source: management-api.md. */
export const routesOf = (ports: ServerPorts): readonly ApiRoute[] => {
  const routes: readonly ApiRoute[] = [...accountRoutes(ports), ...credentialRoutes(ports)];
  return [...routes, selfDescription(ports.settings, routes)];
};

/** The management API on given ports. */
export const server = (ports: ServerPorts) => serveRoutes(ports, routesOf(ports));
