import { operated, readToolTrial } from '@hosted-mcp/core/http';
import { tryTool, type TryToolPorts } from '@hosted-mcp/core/router';

/** What the management function asks of the router, which alone is given credentials. */
export const operatorCommands = (ports: TryToolPorts) =>
  operated({
    'try-tool': {
      run: async (sent) => ({ ok: true, trial: await tryTool(ports, readToolTrial(sent)) }),
    },
  });
