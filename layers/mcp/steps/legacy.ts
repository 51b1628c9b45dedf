import type { SentBody } from '../rules/message.ts';
import { charge, checkScopes } from './authentication/charge.ts';
import { unsharedBudget } from './calls/stored-replies.ts';
import { credentialsOf } from './calls/call-credentials.ts';
import { callTool } from './calls/call-tool.ts';
import { listByMode, prefetchTools } from './calls/tool-modes.ts';
import type { MethodPorts, RpcExchange, RpcTrace } from './rpc-call.ts';
import { checkFits } from '../../platform/http/reply.ts';
import { DEFAULT_VERSION } from '../../platform/rules/protocol-versions.ts';
import type { PortsOf } from '../../platform/ports.ts';

type LegacyPorts = MethodPorts & PortsOf<typeof charge>;

/**
 * A call by the legacy endpoint: answers the bare result of `tools/call`, without a JSON-RPC envelope.
 * @returns JSON text, and what the log says about the call
 * @throws RpcRefusal, RouterRefusal insufficient_scope or rate_limited
 * Source: docs/decisions/mcp.md, "The legacy endpoint".
 */
export const callLegacyTool = async (
  ports: LegacyPorts,
  {
    deployment,
    caller,
    sender,
    traceContext,
  }: Pick<RpcExchange, 'caller' | 'deployment' | 'sender' | 'traceContext'>,
  body: SentBody,
): Promise<{ readonly text: string; readonly trace: RpcTrace }> => {
  checkScopes(caller, ['mcp.tools.execute']);
  const credentials = credentialsOf(ports, deployment, caller, sender);
  const meanwhile = prefetchTools(ports, deployment, credentials);
  await charge(ports, { deployment, caller, cost: 1, answersTo: null }, meanwhile);
  const trace: RpcTrace = { method: 'tools/call', outcome: 'ok', ...traceContext };
  const params = legacyParams(body.value());
  const { text } = await callTool(ports, {
    deployment,
    caller,
    sender,
    index: 0,
    params,
    credentials,
    responseBudget: unsharedBudget,
    canStoreRest: true,
    speaksMcp: true,
    version: DEFAULT_VERSION,
    traceContext,
    trace,
  });
  checkFits(text);
  return { text, trace };
};

/** Counts like `tools/list`. @returns JSON text @throws RouterRefusal insufficient_scope or rate_limited */
export const listLegacyTools = async (
  ports: LegacyPorts,
  { deployment, caller }: Pick<RpcExchange, 'deployment' | 'caller'>,
): Promise<string> => {
  checkScopes(caller, ['mcp.tools.read']);
  const listing = listByMode(ports, deployment);
  await charge(ports, { deployment, caller, cost: 1, answersTo: null }, listing);
  return listing;
};

/**
 * Converts a legacy body to params of `tools/call`, which refuses missing members. Source: docs/decisions/mcp.md,
 * "The legacy endpoint".
 */
const legacyParams = (sent: unknown): Readonly<Record<string, unknown>> => {
  if (typeof sent !== 'object' || sent === null) return {};
  const { name, tool, arguments: given } = sent as Readonly<Record<string, unknown>>;
  return { name: name ?? tool, ...(given !== undefined && { arguments: given }) };
};
