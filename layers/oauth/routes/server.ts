import type { MachinePorts, SitePorts } from '../steps/ports.ts';
import { type Routes, serve } from '../../platform/http/endpoint.ts';
import { failures } from './authorization/failures.ts';
import { accountRoutes, consoleRoutes, pageRoutes } from './authorization/browser-routes.ts';
import { register } from './register.ts';
import { revoke } from './revoke.ts';
import { type Site, siteOf } from '../../accounts/routes/site.ts';
import { token } from './token.ts';
import { userinfo } from './userinfo.ts';
import { appendedMetadata, authorizationServer, jwks, openId } from './well-known.ts';

const OAUTH = '/v1/mcp-oauth-server';

type ServerPorts = MachinePorts & SitePorts;

/**
 * The authorization server on given ports, and the accounts it serves.
 * Source: docs/protocol.md, "The authorization server"; docs/decisions/oauth.md, "Metadata routes".
 */
export const server = (ports: ServerPorts) => {
  const { baseUrl, signUp = 'closed' } = ports.settings;
  const site = siteOf(baseUrl, signUp !== 'closed');
  return serve(ports, routesOf(ports, site), failures(site, Object.keys(pageRoutes(ports, site))));
};

export const routesOf = (ports: ServerPorts, site: Site): Routes => ({
  ...machineRoutes(ports),
  ...pageRoutes(ports, site),
  ...consoleRoutes(ports, site),
  ...accountRoutes(ports, site),
});

const machineRoutes = (ports: MachinePorts): Routes => ({
  [`${OAUTH}/register`]: { POST: register(ports) },
  [`${OAUTH}/token`]: { POST: token(ports) },
  [`${OAUTH}/revoke`]: { POST: revoke(ports) },
  [`${OAUTH}/userinfo`]: { GET: userinfo(ports), POST: userinfo(ports) },
  [`${OAUTH}/.well-known/jwks.json`]: { GET: jwks(ports) },
  [`${OAUTH}/.well-known/oauth-authorization-server`]: { GET: appendedMetadata(ports) },
  [`/.well-known/oauth-authorization-server${OAUTH}`]: { GET: authorizationServer(ports) },
  ...(ports.settings.rootAuthorizationServer && {
    '/.well-known/oauth-authorization-server': { GET: authorizationServer(ports) },
  }),
  [`${OAUTH}/.well-known/openid-configuration`]: { GET: openId(ports) },
  [`/.well-known/openid-configuration${OAUTH}`]: { GET: openId(ports) },
});
