import {
  type AdmittedEvent,
  countAnonymousRequest,
  countingRefusals,
  dispatchOnBody,
  protectedSteps,
} from './admission.ts';
import { discovery } from './documents.ts';
import { readTraceContext } from '../rules/message.ts';
import { answerRpc } from '../steps/answer-rpc.ts';
import type { RouterPorts } from '../steps/ports.ts';
import type { RpcReply } from '../steps/rpc-call.ts';
import {
  acceptsEventStream,
  acceptsOnlyEventStream,
  checkJsonType,
} from '../../platform/http/event.ts';
import { type Endpoint, endpoint, methodNotAllowed } from '../../platform/http/endpoint.ts';
import { accepted, jsonText, messageEvent, silentStream } from '../../platform/http/reply.ts';
import type { ResourceForm } from '../../platform/rules/addresses.ts';

/** One JSON-RPC message, or a batch. Source: MCP 2025-03-26, "Streamable HTTP"; docs/protocol.md, "Transport". */
export const messages = (ports: RouterPorts, form: ResourceForm): Endpoint =>
  endpoint(protectedSteps(ports, form), async (event: AdmittedEvent) => {
    const sent = await countingRefusals(ports, event, () => {
      checkJsonType(event);
      return event.sent();
    });
    const { deployment, caller, sender, headers, logged } = event;
    const acceptsEvents = acceptsEventStream(event);
    const reply = await answerRpc(ports, {
      deployment,
      caller,
      sender,
      body: sent.messages(),
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

/** HTTP statuses of refused messages. Source: docs/decisions/mcp.md, "HTTP statuses". */
const FAILED = { malformed: 400, unknown_method: 404 } as const;

/** Proxies that buffer answers (nginx) would otherwise hold the event back. */
const UNBUFFERED = { 'x-accel-buffering': 'no' };

/**
 * GET /messages: an event stream without events, since the server never sends first. Source:
 * docs/decisions/mcp.md, "The event stream".
 */
export const stream = (ports: RouterPorts, form: ResourceForm): Endpoint =>
  endpoint(protectedSteps(ports, form), async (event: AdmittedEvent) => {
    await countAnonymousRequest(ports, event);
    if (!acceptsEventStream(event)) throw methodNotAllowed(['POST'], FOR_CLIENTS);
    return silentStream();
  });

/**
 * The base URL: an MCP endpoint for JSON-RPC and event streams, else the discovery document.
 * Source: docs/protocol.md, "Discovery document"; docs/decisions/mcp.md, "The event stream".
 */
export const base = (ports: RouterPorts): { readonly GET: Endpoint; readonly POST: Endpoint } => {
  const eventStream = stream(ports, 'base');
  const rpc = messages(ports, 'base');
  const document = discovery(ports);
  return {
    GET: (event) => (acceptsOnlyEventStream(event) ? eventStream(event) : document(event)),
    POST: dispatchOnBody(ports, (sent) => (sent.speaksRpc() ? rpc : document)),
  };
};

/** For people who open the address in a browser. */
const FOR_CLIENTS =
  'This address is for MCP clients, which send POST: add it to one. For people there is a page at the same address with docs in place of messages.';
