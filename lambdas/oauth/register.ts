import { type Endpoint, json, jsonBody } from '@hosted-mcp/core/http';
import { type MachinePorts, register as registerClient, SCOPES } from '@hosted-mcp/core/oauth';

/** POST /register. Source: RFC 7591 §3; docs/protocol.md, "Registration". */
export const register =
  (ports: MachinePorts): Endpoint =>
  async (event) => {
    const { sourceIp } = event.requestContext.http;
    const metadata = jsonBody(event);
    const { client, grantTypes, secret } = await registerClient(ports, { metadata, sourceIp });
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
      scope: scopes.join(' '),
    });
  };
