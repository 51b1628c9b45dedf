import { acceptsOnlyEventStream, bodyText, type Endpoint } from '@hosted-mcp/core/http';
import { type RouterPorts, speaksRpc } from '@hosted-mcp/core/router';
import { discovery } from './discovery.ts';
import { messages } from './messages.ts';
import { stream } from './stream.ts';

/** The base URL: an MCP endpoint for those who speak MCP, the discovery document for others. Source: spec, "MCP router"; D9. */
export const base = (ports: RouterPorts): { readonly GET: Endpoint; readonly POST: Endpoint } => {
  const silence = stream(ports, 'base');
  const rpc = messages(ports, 'base');
  const document = discovery(ports);
  return {
    GET: (event) => (acceptsOnlyEventStream(event) ? silence(event) : document(event)),
    POST: async (event) => (speaksRpc(bodyText(event)) ? rpc(event) : document(event)),
  };
};
