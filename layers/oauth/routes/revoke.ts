import { bodyParameters } from '../../platform/http/event.ts';
import { done } from '../../platform/http/reply.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import type { MachinePorts } from '../steps/ports.ts';
import { readRevocation } from '../rules/tokens/revocation.ts';
import { revoke as revokeToken } from '../steps/tokens/revoke.ts';

/** POST /revoke, form or JSON. Source: RFC 7009 §2. */
export const revoke =
  (ports: MachinePorts): Endpoint =>
  async (event) => {
    const sent = bodyParameters(event);
    const revocation = readRevocation(event.headers['authorization'], sent);
    await revokeToken(ports, revocation, event.requestContext.http.sourceIp);
    return done();
  };
