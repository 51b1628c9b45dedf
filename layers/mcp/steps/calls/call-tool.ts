import type { LoggedCall } from '../../../events/rules/call-record.ts';
import type { ProtocolVersion } from '../../../platform/rules/protocol-versions.ts';
import { RpcRefusal } from '../../../platform/rules/refusal/rpc-refusal.ts';
import { ToolRefusal } from '../../../platform/rules/refusal/tool-refusal.ts';
import type { DeploymentsPorts } from '../../../deployments/ports.ts';
import type { Method, RpcCall, ToolCall } from '../rpc-call.ts';
import { credentialsOf } from './call-credentials.ts';
import { sendToolCall } from './send-tool-call.ts';
import { isSearched, searchMode } from './tool-modes.ts';
import type { PortsOf } from '../../../platform/ports.ts';

/**
 * `tools/call`. Depending on the MCP version, failures become results with `isError` or JSON-RPC errors.
 * @throws RpcRefusal where the version wants an error, and always for an unknown tool
 * Source: MCP 2025-11-25, "Tools", "Error Handling"; docs/decisions/mcp.md, "Failed calls".
 */
export const callTool: Method = async (ports, call) => {
  const { recording } = call.deployment;
  // Imported on demand: few deployments record the content of calls.
  const content =
    recording && (await import('./content-recorder.ts')).contentRecorder(ports, recording, call);
  try {
    const { result, text } = await callServed(ports, call, content?.write ?? ports.callLog.write);
    content?.end({ result });
    return { text };
  } catch (error) {
    content?.end({ error });
    if (!(error instanceof ToolRefusal) || call.version < RESULT_ERRORS_SINCE[error.at])
      throw error;
    call.trace.outcome = error.code;
    const { description, data } = error;
    const reason = typeof data?.['reason'] === 'string' ? ` (${data['reason']})` : '';
    const refusal = [{ type: 'text', text: `${description}${reason}` }];
    return { text: JSON.stringify({ content: refusal, isError: true }) };
  }
};

/** The MCP versions from which a failure is a result with `isError`, which models can react to. */
const RESULT_ERRORS_SINCE: Readonly<Record<ToolRefusal['at'], ProtocolVersion>> = {
  arguments: '2025-11-25',
  target: '2026-07-28',
};

/**
 * A call that the cached version of the deployment refuses as invalid is tried once more with a newer version, if
 * there is one: nothing has been sent by then, and only the second attempt is recorded. Source:
 * docs/decisions/storage.md, "When a change takes effect".
 */
const callServed: ToolCall = async (ports, call, write) => {
  const refused: LoggedCall[] = [];
  const hold = (record: LoggedCall): void => {
    if (record.outcome === 'refused') refused.push(record);
    else write(record);
  };
  try {
    return await (
      await toolCallOf(isSearched(call.deployment))
    )(ports, call, hold);
  } catch (error) {
    let newer: RpcCall | undefined;
    try {
      newer = isInvalid(error) ? await inNewerVersion(ports, call) : undefined;
    } finally {
      if (!newer) for (const record of refused) write(record);
    }
    if (!newer) throw error;
    return (await toolCallOf(isSearched(newer.deployment)))(ports, newer, write);
  }
};

export const toolCallOf = async (isSearch: boolean): Promise<ToolCall> =>
  isSearch ? (await searchMode()).callSearchTool : sendToolCall;

const isInvalid = (error: unknown): boolean =>
  error instanceof RpcRefusal && error.code === 'invalid_params';

const inNewerVersion = async (
  ports: PortsOf<typeof credentialsOf> & Pick<DeploymentsPorts, 'deployments'>,
  call: RpcCall,
): Promise<RpcCall | undefined> => {
  const { id, slug, version } = call.deployment;
  const deployment = await ports.deployments.findAgain(slug);
  if (deployment?.id !== id || deployment.version === version) return undefined;
  const credentials = credentialsOf(ports, deployment, call.caller, call.sender);
  return { ...call, deployment, credentials };
};
