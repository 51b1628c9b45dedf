import type { MintTokenPorts, PublishPorts, RevokeTokenPorts } from '@hosted-mcp/core/management';
import { ApiRefusal } from '@hosted-mcp/core/refusal';
import * as z from 'zod';
import { PublishCommand, publishCommand } from './publish.ts';
import {
  MintTokenCommand,
  mintTokenCommand,
  RevokeTokenCommand,
  revokeTokenCommand,
} from './tokens.ts';

export type ManagementPorts = PublishPorts & MintTokenPorts & RevokeTokenPorts;

/**
 * The management function on given ports. Operators (whoever IAM lets invoke the function) send
 * commands directly, each by its name in `operator`; no route of the gateway leads here yet.
 *
 * @returns the command's answer, or `{ok: false, code, description, findings}` for a refusal
 * @throws Error for an event that is no command, and whatever is no refusal
 */
export const server = (ports: ManagementPorts) => {
  const commands = new Map<unknown, Command>([
    ['publish', command(PublishCommand, publishCommand(ports))],
    ['mint-token', command(MintTokenCommand, mintTokenCommand(ports))],
    ['revoke-token', command(RevokeTokenCommand, revokeTokenCommand(ports))],
  ]);
  return async (event: unknown) => {
    const { operator, ...sent } = readable(Event.safeParse(event));
    const run = commands.get(operator);
    if (!run) throw notCommand('operator', 'unknown');
    try {
      return await run(sent);
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      const { code, description, findings } = error;
      return { ok: false as const, code, description, findings };
    }
  };
};

const Event = z.looseObject({ operator: z.string() });

type Command = (sent: object) => Promise<object>;

const command =
  <Schema extends z.ZodType>(
    schema: Schema,
    run: (command: z.output<Schema>) => Promise<object>,
  ): Command =>
  (sent) =>
    run(readable(schema.safeParse(sent)));

const readable = <Value>(read: z.ZodSafeParseResult<Value>): Value => {
  if (read.success) return read.data;
  const { message, path } = read.error.issues[0] ?? { message: 'unreadable', path: [] };
  throw notCommand(path.join('.'), message);
};

const notCommand = (where: string, what: string) =>
  new Error(`not a command of the management function: ${where}: ${what}`);
