import { acceptsOnlyEventStream, type Endpoint } from '@hosted-mcp/core/http';
import { type RouterPorts, speaksRpc } from '@hosted-mcp/core/router';
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
