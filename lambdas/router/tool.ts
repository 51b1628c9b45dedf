import { bodyText, checkJsonType, type Endpoint, endpoint, jsonText } from '@hosted-mcp/core/http';
import {
  callLegacyTool,
  listLegacyTools,
  type RouterPorts,
  speaksRpc,
} from '@hosted-mcp/core/router';
import { messages } from './messages.ts';
import { type AdmittedEvent, guarded } from './steps.ts';

/** The legacy endpoint. Source: D16. */
export const tool = (ports: RouterPorts): { readonly GET: Endpoint; readonly POST: Endpoint } => {
  const rpc = messages(ports, 'base');
  const plain = legacyCall(ports);
  return {
    GET: endpoint(guarded(ports, 'base'), async (event: AdmittedEvent) =>
      jsonText(200, await listLegacyTools(ports, event)),
    ),
    POST: async (event) => (speaksRpc(bodyText(event)) ? rpc(event) : plain(event)),
  };
};

const legacyCall = (ports: RouterPorts): Endpoint =>
  endpoint(guarded(ports, 'base'), async (event: AdmittedEvent) => {
    checkJsonType(event);
    const { text, trace } = await callLegacyTool(ports, event, bodyText(event));
    event.notes.rpc = [trace];
    return jsonText(200, text);
  });
