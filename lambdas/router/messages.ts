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
  readTraceContext,
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
    const acceptsEvents = acceptsEventStream(event);
    const reply = await answerRpc(ports, {
      deployment,
      caller,
      sender,
      body,
      headers: {
        version: headers['mcp-protocol-version'],
        method: headers['mcp-method'],
        name: headers['mcp-name'],
      },
      traceContext: readTraceContext(headers),
      acceptsEvents,
    });
    logged.protocol = reply.spoken;
    logged.rpc = reply.traces;
    return httpReply(event, reply);
  });

const httpReply = (event: AdmittedEvent, { text, end, version }: RpcReply) => {
  if (text === undefined) return accepted();
  const versionHeader = version && { 'mcp-protocol-version': version };
  if (end !== 'answered') return jsonText(FAILED[end], text, versionHeader);
  if (!acceptsOnlyEventStream(event)) return jsonText(200, text, versionHeader);
  return messageEvent(text, version && { ...versionHeader, ...UNBUFFERED });
};

/** Source: docs/decisions/mcp.md, "HTTP statuses". */
const FAILED = { malformed: 400, unknown_method: 404 } as const;

/** Proxies that collect an answer would hold the event back. */
const UNBUFFERED = { 'x-accel-buffering': 'no' };
