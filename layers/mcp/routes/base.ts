import { acceptsOnlyEventStream } from '../../platform/http/accepted.ts';
import type { Endpoint } from '../../platform/http/router.ts';
import type { RouterPorts } from '../steps/ports.ts';
import { speaksRpc } from '../rules/message/speaks-rpc.ts';
import { byText } from './count.ts';
import { discovery } from './discovery.ts';
import { messages } from './messages.ts';
import { stream } from './stream.ts';

/**
 * The base URL: an MCP endpoint for those who speak MCP, the discovery document for others.
 * Source: docs/protocol.md, "Discovery document"; docs/decisions/mcp.md, "The event stream".
 */
export const base = (ports: RouterPorts): { readonly GET: Endpoint; readonly POST: Endpoint } => {
  const silence = stream(ports, 'base');
  const rpc = messages(ports, 'base');
  const document = discovery(ports);
  return {
    GET: (event) => (acceptsOnlyEventStream(event) ? silence(event) : document(event)),
    POST: byText(ports, (text) => (speaksRpc(text) ? rpc : document)),
  };
};
