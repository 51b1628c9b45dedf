import {
  accepted,
  acceptsEventStream,
  acceptsOnlyEventStream,
  rpcText,
  checkJsonType,
  type Endpoint,
  endpoint,
  jsonText,
  messageEvent,
} from '@hosted-mcp/core/http';
import {
  answerRpc,
  readMessages,
  type ResourceForm,
  type RouterPorts,
  type RpcReply,
} from '@hosted-mcp/core/router';
import { countingRefusals } from './count-public.ts';
import { type AdmittedEvent, guarded } from './steps.ts';

/**
 * POST /messages: JSON-RPC, one message or a batch.
 * Source: MCP 2025-03-26, "Streamable HTTP"; docs/protocol.md, "Transport".
 */
export const messages = (ports: RouterPorts, form: ResourceForm): Endpoint =>
  endpoint(guarded(ports, form), async (event: AdmittedEvent) => {
    const text = await countingRefusals(ports, event, () => {
      checkJsonType(event);
      return rpcText(event);
    });
    const body = readMessages(text);
    const { deployment, caller, sender, headers, logged } = event;
    const version = headers['mcp-protocol-version'];
    const acceptsEvents = acceptsEventStream(event);
    const exchange = { deployment, caller, sender, body, version, acceptsEvents };
    const reply = await answerRpc(ports, exchange);
    logged.rpc = reply.traces;
    return httpReply(event, reply);
  });

const httpReply = (event: AdmittedEvent, { text, malformed }: RpcReply) => {
  if (text === undefined) return accepted();
  if (malformed) return jsonText(400, text);
  return acceptsOnlyEventStream(event) ? messageEvent(text) : jsonText(200, text);
};
