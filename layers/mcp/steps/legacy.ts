import { DEFAULT_VERSION } from '../../platform/rules/protocol-versions.ts';
import type { Deployment } from '../../servers/rules/deployment.ts';
import { legacyParams } from '../rules/legacy-call.ts';
import { checkFits } from '../../platform/http/reply.ts';
import { readJson } from '../rules/message/json-text.ts';
import type { TraceContext } from '../rules/message/trace-context.ts';
import type { Ports } from '../../ports.ts';
import { wholeBudget } from './calls/response-budget.ts';
import type { Caller } from './calls/caller.ts';
import { charge, type ChargePorts } from './authentication/charge.ts';
import { checkScopes } from './authentication/check-scopes.ts';
import { credentialOf } from './calls/credential-of.ts';
import type { MethodPorts, RpcTrace } from './rpc-call.ts';
import type { Sender } from './calls/sender.ts';
import { callByMode, listByMode, prefetchTools } from './calls/tool-modes.ts';

export type LegacyPorts = MethodPorts & ChargePorts & Pick<Ports, 'credentials'>;

export interface LegacyRequest {
  readonly deployment: Deployment;
  readonly caller: Caller;
  readonly sender: Sender;
  readonly traceContext: TraceContext | undefined;
}

/**
 * A call in the form of the legacy endpoint: the result of `tools/call` without its envelope.
 *
 * @param body - undefined if its bytes are not valid UTF-8
 * @returns JSON text, and what the log says about the call
 * @throws RpcRefusal, RouterRefusal insufficient_scope or rate_limited
 *
 * Source: docs/decisions/mcp.md, "The legacy endpoint".
 */
export const callLegacyTool = async (
  ports: LegacyPorts,
  { deployment, caller, sender, traceContext }: LegacyRequest,
  body: string | undefined,
): Promise<{ readonly text: string; readonly trace: RpcTrace }> => {
  checkScopes(caller, ['mcp.tools.execute']);
  const credential = credentialOf(ports, deployment, caller, sender);
  const meanwhile = prefetchTools(ports, deployment, credential);
  await charge(ports, { deployment, caller, cost: 1, answersTo: null }, meanwhile);
  const trace: RpcTrace = { method: 'tools/call', outcome: 'ok', ...traceContext };
  const params = legacyParams(readJson(body));
  const text = await callByMode(ports, {
    deployment,
    caller,
    sender,
    index: 0,
    params,
    credential,
    room: wholeBudget,
    keeps: true,
    speaksMcp: true,
    version: DEFAULT_VERSION,
    traceContext,
    trace,
  });
  checkFits(text);
  return { text, trace };
};

/**
 * The tools, as `tools/list` shows them. Counts like it.
 *
 * @returns JSON text
 * @throws RouterRefusal insufficient_scope or rate_limited
 */
export const listLegacyTools = async (
  ports: LegacyPorts,
  { deployment, caller }: Pick<LegacyRequest, 'deployment' | 'caller'>,
): Promise<string> => {
  checkScopes(caller, ['mcp.tools.read']);
  const listing = listByMode(ports, deployment);
  await charge(ports, { deployment, caller, cost: 1, answersTo: null }, listing);
  return listing;
};
