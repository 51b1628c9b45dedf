import { acceptsEventStream } from '../../platform/http/accepted.ts';
import { type Endpoint, methodNotAllowed } from '../../platform/http/router.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { silentStream } from '../../platform/http/reply.ts';
import type { ResourceForm } from '../../platform/rules/addresses.ts';
import type { RouterPorts } from '../steps/ports.ts';
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
