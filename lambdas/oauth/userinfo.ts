import { type Endpoint, json } from '@hosted-mcp/core/http';
import { describeUser, type MachinePorts } from '@hosted-mcp/core/oauth';

/** GET and POST /userinfo. Source: OpenID Connect Core §5.3.1. */
export const userinfo =
  (ports: MachinePorts): Endpoint =>
  async ({ headers, requestContext }) => {
    const { authorization } = headers;
    const { sourceIp } = requestContext.http;
    return json(200, await describeUser(ports, { authorization, sourceIp }));
  };
