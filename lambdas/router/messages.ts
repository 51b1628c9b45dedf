import {
  accepted,
  acceptsOnlyEventStream,
  bodyText,
  checkJsonType,
  type Endpoint,
  endpoint,
  jsonText,
  messageEvent,
} from '@hosted-mcp/core/http';
import {
  answerRpc,
  readBody,
  type ResourceForm,
  type RouterPorts,
  type RpcReply,
} from '@hosted-mcp/core/router';
import { type AdmittedEvent, guarded } from './steps.ts';

/** POST /messages: JSON-RPC, one message or a batch. Source: spec, "MCP router"; T1 to T9; D5, D8. */
export const messages = (ports: RouterPorts, form: ResourceForm): Endpoint =>
  endpoint(guarded(ports, form), async (event: AdmittedEvent) => {
    checkJsonType(event);
    const body = readBody(bodyText(event));
    const { deployment, caller, sender, headers, notes } = event;
    const version = headers['mcp-protocol-version'];
    const reply = await answerRpc(ports, { deployment, caller, sender, body, version });
    notes.rpc = reply.traces;
    return httpReply(event, reply);
  });

const httpReply = (event: AdmittedEvent, { text, malformed }: RpcReply) => {
  if (text === undefined) return accepted();
  if (malformed) return jsonText(400, text);
  return acceptsOnlyEventStream(event) ? messageEvent(text) : jsonText(200, text);
};
