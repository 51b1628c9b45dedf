import { accepted, jsonText, messageEvent } from '../../platform/http/reply.ts';
import { acceptsEventStream, acceptsOnlyEventStream } from '../../platform/http/accepted.ts';
import { rpcText, checkJsonType } from '../../platform/http/rpc-body.ts';
import type { Endpoint } from '../../platform/http/router.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { answerRpc } from '../steps/answer-rpc.ts';
import { readMessages } from '../rules/message/body.ts';
import { readTraceContext } from '../rules/message/trace-context.ts';
import type { ResourceForm } from '../../platform/rules/addresses.ts';
import type { RouterPorts } from '../steps/ports.ts';
import type { RpcReply } from '../steps/rpc-exchange.ts';
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
