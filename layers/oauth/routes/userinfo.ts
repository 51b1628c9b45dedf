import type { Endpoint } from '../../platform/http/endpoint.ts';
import { json } from '../../platform/http/reply.ts';
import { describeUser } from '../steps/tokens/describe-user.ts';
import type { MachinePorts } from '../steps/ports.ts';

/** GET and POST /userinfo. Source: OpenID Connect Core §5.3.1. */
export const userinfo =
  (ports: MachinePorts): Endpoint =>
  async ({ headers, requestContext }) => {
    const { authorization } = headers;
    const { sourceIp } = requestContext.http;
    return json(200, await describeUser(ports, { authorization, sourceIp }));
  };
