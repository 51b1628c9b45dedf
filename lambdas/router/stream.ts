import {
  acceptsEventStream,
  type Endpoint,
  endpoint,
  methodNotAllowed,
  silentStream,
} from '@hosted-mcp/core/http';
import type { ResourceForm, RouterPorts } from '@hosted-mcp/core/router';
import { countPublic } from './count-public.ts';
import { type AdmittedEvent, guarded } from './steps.ts';

/**
 * GET /messages: we never begin to speak, so the stream is silent.
 * Source: docs/decisions/mcp.md, "The event stream".
 */
export const stream = (ports: RouterPorts, form: ResourceForm): Endpoint =>
  endpoint(guarded(ports, form), async (event: AdmittedEvent) => {
    await countPublic(ports, event);
    if (!acceptsEventStream(event)) throw methodNotAllowed(['POST']);
    return silentStream();
  });
