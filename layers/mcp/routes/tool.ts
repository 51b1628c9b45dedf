import { checkJsonType } from '../../platform/http/event.ts';
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts';
import { jsonText } from '../../platform/http/reply.ts';
import { callLegacyTool, listLegacyTools } from '../steps/legacy.ts';
import { readTraceContext } from '../rules/message.ts';
import type { RouterPorts } from '../steps/ports.ts';
import {
  type AdmittedEvent,
  countingRefusals,
  dispatchOnBody,
  protectedSteps,
} from './admission.ts';
import { messages } from './messages.ts';

/** The legacy endpoint `/tool`. Source: docs/decisions/mcp.md, "The legacy endpoint". */
export const tool = (ports: RouterPorts): { readonly GET: Endpoint; readonly POST: Endpoint } => {
  const rpc = messages(ports, 'base');
  const plain = legacyCall(ports);
  return {
    GET: endpoint(protectedSteps(ports, 'base'), async (event: AdmittedEvent) =>
      jsonText(200, await listLegacyTools(ports, event)),
    ),
    POST: dispatchOnBody(ports, (sent) => (sent.speaksRpc() ? rpc : plain)),
  };
};

const legacyCall = (ports: RouterPorts): Endpoint =>
  endpoint(protectedSteps(ports, 'base'), async (event: AdmittedEvent) => {
    const body = await countingRefusals(ports, event, () => {
      checkJsonType(event);
      return event.sent();
    });
    const { text, trace } = await callLegacyTool(
      ports,
      { ...event, traceContext: readTraceContext(event.headers) },
      body,
    );
    event.logged.rpc = [trace];
    return jsonText(200, text);
  });
