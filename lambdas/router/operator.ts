import { isOperatorEvent, readToolTrial } from '@hosted-mcp/core/http';
import { tryTool, type TryToolPorts } from '@hosted-mcp/core/router';

/**
 * What the management function asks of the router, which alone is given credentials. It leaves a line of its
 * own, `tool_trial`.
 *
 * @throws Error for an event that is none of management's
 */
export const operatorCommands =
  (ports: TryToolPorts) =>
  async (event: unknown): Promise<object> => {
    if (!isOperatorEvent(event) || event.operator !== 'try-tool') {
      throw new Error('not a command of this function: operator: unknown');
    }
    const { operator: _, ...sent } = event;
    return { ok: true, trial: await tryTool(ports, readToolTrial(sent)) };
  };
