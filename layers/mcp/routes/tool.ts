import { rpcText, checkJsonType } from '../../platform/http/rpc-body.ts';
import type { Endpoint } from '../../platform/http/router.ts';
import { endpoint } from '../../platform/http/endpoint.ts';
import { jsonText } from '../../platform/http/reply.ts';
import { callLegacyTool, listLegacyTools } from '../steps/legacy.ts';
import { readTraceContext } from '../rules/message/trace-context.ts';
import type { RouterPorts } from '../steps/ports.ts';
import { speaksRpc } from '../rules/message/speaks-rpc.ts';
import { byText } from './count.ts';
import { countingRefusals } from './count-public.ts';
import { messages } from './messages.ts';
import { type AdmittedEvent, guarded } from './steps.ts';

/** The legacy endpoint. Source: docs/decisions/mcp.md, "The legacy endpoint". */
export const tool = (ports: RouterPorts): { readonly GET: Endpoint; readonly POST: Endpoint } => {
  const rpc = messages(ports, 'base');
  const plain = legacyCall(ports);
  return {
    GET: endpoint(guarded(ports, 'base'), async (event: AdmittedEvent) =>
      jsonText(200, await listLegacyTools(ports, event)),
    ),
    POST: byText(ports, (text) => (speaksRpc(text) ? rpc : plain)),
  };
};

const legacyCall = (ports: RouterPorts): Endpoint =>
  endpoint(guarded(ports, 'base'), async (event: AdmittedEvent) => {
    const body = await countingRefusals(ports, event, () => {
      checkJsonType(event);
      return rpcText(event);
    });
    const { text, trace } = await callLegacyTool(
      ports,
      { ...event, traceContext: readTraceContext(event.headers) },
      body,
    );
    event.logged.rpc = [trace];
    return jsonText(200, text);
  });
