import type { PublishPorts } from '@hosted-mcp/core/management';
import { ApiRefusal } from '@hosted-mcp/core/refusal';
import { PublishCommand, publishCommand } from './publish.ts';

export type ManagementPorts = PublishPorts;

/**
 * The management function on given ports. Operators (whoever IAM lets invoke the function) send
 * commands directly; no route of the gateway leads here yet.
 *
 * @returns the command's answer, or `{ok: false, code, description, findings}` for a refusal
 * @throws Error for an event that is no command, and whatever is no refusal
 */
export const server = (ports: ManagementPorts) => {
  const publishDescription = publishCommand(ports);
  return async (event: unknown) => {
    const command = PublishCommand.safeParse(event);
    if (!command.success) {
      const { message, path } = command.error.issues[0] ?? { message: 'unreadable', path: [] };
      throw new Error(`not a command of the management function: ${path.join('.')}: ${message}`);
    }
    try {
      return await publishDescription(command.data);
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      const { code, description, findings } = error;
      return { ok: false as const, code, description, findings };
    }
  };
};
