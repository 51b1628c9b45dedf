import { type Endpoint, type Endpoints, methodNotAllowed } from '../../platform/http/router.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { rpcText } from '../../platform/http/rpc-body.ts';
import type { RouterPorts } from '../steps/ports.ts';
import { countPublic } from './count-public.ts';
import { open, type ServedEvent } from './served.ts';

/** An endpoint that says what is in a body; one that cannot be read is refused, and counts. */
export const byText =
  (ports: RouterPorts, choose: (text: string | undefined) => Endpoint): Endpoint =>
  async (event) => {
    let text: string | undefined;
    try {
      text = rpcText(event);
    } catch (refusal) {
      return refusing(ports, refusal)(event);
    }
    return choose(text)(event);
  };

/** With the methods that there are not, but for `OPTIONS`: refused, and counted. */
export const countingMethods = (ports: RouterPorts, endpoints: Endpoints): Endpoints => {
  const refused = refusing(ports, methodNotAllowed(Object.keys(endpoints)));
  return { ...endpoints, PUT: refused, PATCH: refused, DELETE: refused };
};

const refusing = (ports: RouterPorts, refusal: unknown): Endpoint =>
  endpoint(open(ports), async (event: ServedEvent) => {
    await countPublic(ports, event);
    throw refusal;
  });
