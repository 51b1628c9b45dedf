import type * as z from 'zod';
import { ApiRefusal } from '../domain/refusal.ts';

/** One thing an operator may ask of a function: how its event is read, and what is done. */
export interface OperatorCommand {
  run(sent: unknown): Promise<object>;
}

/** @param schema - reads the event without its `operator` */
export const operatorCommand = <Schema extends z.ZodType>(
  schema: Schema,
  run: (command: z.output<Schema>) => Promise<object>,
): OperatorCommand => ({ run: (sent) => run(readable(schema.safeParse(sent))) });

/** Whether an event comes from an operator and not from the gateway, whose events have no such member. */
export const isOperatorEvent = (event: unknown): event is { readonly operator: unknown } =>
  typeof event === 'object' && event !== null && Object.hasOwn(event, 'operator');

/**
 * What operators (whoever IAM lets invoke a function) send directly, each command by its name in
 * `operator`.
 *
 * @returns the command's answer, or `{ok: false, code, description, findings}` for a refusal
 * @throws Error for an event that is no command, and whatever is no refusal
 */
export const operated =
  (commands: Readonly<Record<string, OperatorCommand>>) =>
  async (event: unknown): Promise<object> => {
    if (!isOperatorEvent(event)) throw notCommand('operator', 'missing');
    const { operator, ...sent } = event;
    const command =
      typeof operator === 'string' && Object.hasOwn(commands, operator)
        ? commands[operator]
        : undefined;
    if (!command) throw notCommand('operator', 'unknown');
    try {
      return await command.run(sent);
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      const { code, description, findings } = error;
      return { ok: false, code, description, findings };
    }
  };

const readable = <Value>(read: z.ZodSafeParseResult<Value>): Value => {
  if (read.success) return read.data;
  const { message, path } = read.error.issues[0] ?? { message: 'unreadable', path: [] };
  throw notCommand(path.join('.'), message);
};

const notCommand = (where: string, what: string) =>
  new Error(`not a command of this function: ${where}: ${what}`);
