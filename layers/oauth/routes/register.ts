import type { Endpoint } from '../../platform/http/endpoint.ts';
import { json } from '../../platform/http/reply.ts';
import { jsonBody } from '../../platform/http/event.ts';
import type { MachinePorts } from '../steps/ports.ts';
import { register as registerClient } from '../steps/clients/register.ts';
import { scopeText } from '../../tokens/rules/oauth-scopes.ts';
import { SCOPES } from '../../tokens/rules/oauth-records.ts';

/** POST /register. Source: RFC 7591 §3; docs/protocol.md, "Registration". */
export const register =
  (ports: MachinePorts): Endpoint =>
  async (event) => {
    const { sourceIp } = event.requestContext.http;
    const metadata = jsonBody(event);
    const { client, grantTypes, offlineAccess, secret } = await registerClient(ports, {
      metadata,
      sourceIp,
    });
    const scopes = client.scopes.length > 0 ? client.scopes : SCOPES;
    return json(201, {
      client_id: client.id,
      client_id_issued_at: client.createdAt,
      ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: grantTypes,
      response_types: ['code'],
      token_endpoint_auth_method: client.authMethod,
      scope: scopeText(scopes, offlineAccess),
    });
  };
