import { ToolRefusal } from '../../../platform/rules/refusal/tool-refusal.ts';
import type { ProtocolVersion } from '../../../platform/rules/protocol-versions.ts';
import type { Method } from '../rpc-call.ts';
import { callByMode } from './tool-modes.ts';

/** From when on a model reads of a failure in a result, which it can act on. */
const TOLD_FROM: Readonly<Record<ToolRefusal['at'], ProtocolVersion>> = {
  arguments: '2025-11-25',
  target: '2026-07-28',
};

/**
 * `tools/call`, with failures in the form of the version that is spoken.
 *
 * @throws RpcRefusal where that is an error; always for what is no call of a tool that is there
 *
 * Source: MCP 2025-11-25, "Tools", "Error Handling"; docs/decisions/mcp.md, "Failed calls".
 */
export const callInVersion: Method = async (ports, call) => {
  try {
    return await callByMode(ports, call);
  } catch (error) {
    if (!(error instanceof ToolRefusal) || call.version < TOLD_FROM[error.at]) throw error;
    call.trace.outcome = error.code;
    const { description, data } = error;
    const reason = typeof data?.['reason'] === 'string' ? ` (${data['reason']})` : '';
    const content = [{ type: 'text', text: `${description}${reason}` }];
    return JSON.stringify({ content, isError: true });
  }
};
