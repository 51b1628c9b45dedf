import { bodyParameters, done, type Endpoint } from '@hosted-mcp/core/http';
import { type MachinePorts, readRevocation, revoke as revokeToken } from '@hosted-mcp/core/oauth';

/** POST /revoke, form or JSON. Source: RFC 7009 §2. */
export const revoke =
  (ports: MachinePorts): Endpoint =>
  async (event) => {
    const sent = bodyParameters(event);
    const revocation = readRevocation(event.headers['authorization'], sent);
    await revokeToken(ports, revocation, event.requestContext.http.sourceIp);
    return done();
  };
