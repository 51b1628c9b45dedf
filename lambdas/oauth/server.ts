import { serve } from '@hosted-mcp/core/http';
import type { MachinePorts } from '@hosted-mcp/core/oauth';
import { register } from './register.ts';
import { revoke } from './revoke.ts';
import { token } from './token.ts';
import { userinfo } from './userinfo.ts';
import { authorizationServer, jwks, openId } from './well-known.ts';

const OAUTH = '/v1/mcp-oauth-server';

/** The authorization server on given ports. Source: spec, "OAuth server"; D2. */
export const server = (ports: MachinePorts) =>
  serve(ports, {
    [`${OAUTH}/register`]: { POST: register(ports) },
    [`${OAUTH}/token`]: { POST: token(ports) },
    [`${OAUTH}/revoke`]: { POST: revoke(ports) },
    [`${OAUTH}/userinfo`]: { GET: userinfo(ports), POST: userinfo(ports) },
    [`${OAUTH}/.well-known/jwks.json`]: { GET: jwks(ports) },
    [`${OAUTH}/.well-known/oauth-authorization-server`]: { GET: authorizationServer(ports) },
    [`/.well-known/oauth-authorization-server${OAUTH}`]: { GET: authorizationServer(ports) },
    [`${OAUTH}/.well-known/openid-configuration`]: { GET: openId(ports) },
    [`/.well-known/openid-configuration${OAUTH}`]: { GET: openId(ports) },
  });
