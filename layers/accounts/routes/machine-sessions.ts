import * as z from 'zod/mini';
import { apiReply } from '../../platform/http/reply.ts';
import type { Endpoint } from '../../platform/http/endpoint.ts';
import { readAs } from '../../platform/http/api-body.ts';
import { openMachineSession, type MachineSessionPorts } from '../steps/machine-session.ts';
import { sentObject } from './accounts.ts';

const MachineBody = z.object({
  trust: z.string().check(z.maxLength(100)),
  token: z.string().check(z.maxLength(16_384)),
});

/** Source: docs/decisions/accounts.md, "Machines without a secret". */
export const postMachineSession =
  (ports: MachineSessionPorts): Endpoint =>
  async (event) => {
    const sent = readAs(MachineBody, sentObject(event));
    const { sourceIp } = event.requestContext.http;
    const session = await openMachineSession(ports, { ...sent, sourceIp });
    return apiReply(200, {
      access_token: session.accessToken,
      token_type: 'Bearer',
      expires_in: session.expiresInSeconds,
    });
  };
