import { member } from '../platform/rules/json/json.ts';
import { isOperatorEvent } from '../platform/http/event.ts';
import type * as z from 'zod';
import { ApiRefusal } from '../platform/rules/refusal/api-refusal.ts';
import type { EventsPorts } from '../events/ports.ts';
import type { ServiceEvent } from '../events/rules/service-event.ts';

export interface OperatorCommand {
  /** @returns the target, and a function that runs the command */
  read(sent: unknown): { readonly target: string; run(): Promise<object> };
}

/**
 * @param schema - reads the event without its `operator` and `claimedActor`
 * @param target - whom or what the command is about; recorded, so never a secret
 */
export const operatorCommand = <Schema extends z.ZodType>(
  schema: Schema,
  target: (command: z.output<Schema>) => string,
  run: (command: z.output<Schema>) => Promise<object>,
): OperatorCommand => ({
  read: (sent) => {
    const command = readable(schema.safeParse(sent));
    return { target: target(command), run: () => run(command) };
  },
});

export const theService = (): string => 'the service';

type OperatedPorts = Pick<EventsPorts, 'events' | 'log' | 'timeLeft'>;

type Trace = Extract<ServiceEvent, { readonly type: 'operator_command' }>;

/**
 * Commands that operators send by invoking a function directly, which IAM allows only to them; `operator` names the
 * command. Each records a security event, also in the log, however it ends.
 * @returns the command's answer with `ok: true`, or `{ok: false, code, description, findings}` for a refusal
 * @throws Error for an event that is not a command, and any other failure
 * Source: docs/decisions/accounts.md, "Operators leave traces".
 */
export const operated =
  (ports: OperatedPorts, commands: Readonly<Record<string, OperatorCommand>>) =>
  async (
    event: unknown,
    { awsRequestId }: { readonly awsRequestId?: string | undefined } = {},
  ): Promise<object> => {
    const { operator, claimedActor, ...sent } = isOperatorEvent(event)
      ? event
      : { operator: undefined };
    const name =
      typeof operator === 'string' && Object.hasOwn(commands, operator) ? operator : undefined;
    let trace: Trace = {
      type: 'operator_command',
      // All commands of a day share one partition, which a single query reads.
      subject: 'operators',
      // An unknown command may be anything, even a secret.
      command: name ?? 'unknown',
      target: 'unknown',
      outcome: 'failed',
      claimedActor: arnIn(claimedActor) ?? 'unknown',
      ...(awsRequestId !== undefined && { requestId: awsRequestId }),
    };
    try {
      const command = name === undefined ? undefined : member(commands, name);
      if (!command) throw notCommand('operator', operator === undefined ? 'missing' : 'unknown');
      const { target, run } = command.read(sent);
      trace = { ...trace, target };
      // Gives up early enough to record the event before Lambda kills the function.
      const answer = await ports.timeLeft.orGiveUp(run);
      trace = { ...trace, outcome: 'done' };
      return { ok: true, ...answer };
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error;
      const { code, description, findings } = error;
      trace = { ...trace, outcome: 'refused', code };
      return { ok: false, code, description, findings };
    } finally {
      ports.events.record(trace);
      await ports.events.flush().catch(() => lost(ports, awsRequestId));
    }
  };

/** The command was carried out, and the log has the event in any case. */
const lost = ({ log }: OperatedPorts, awsRequestId: string | undefined): void =>
  log.write({ message: 'events_lost', level: 'error', request_id: awsRequestId });

/** ARNs of users and roles, and AWS service principals. */
const ACTOR =
  /^(?:arn:aws[a-z-]*:(?:iam|sts)::\d{12}:[\w+=,.@/:-]{1,512}|[a-z]{1,64}\.amazonaws\.com)$/;

/** Invokers may send any text: it is recorded only if it is a name that AWS gives. */
const arnIn = (claimed: unknown): string | undefined =>
  typeof claimed === 'string' && ACTOR.test(claimed) ? claimed : undefined;

const readable = <Value>(read: z.ZodSafeParseResult<Value>): Value => {
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  // Lambda logs the message: names of unknown members may be secrets.
  const what = issue?.code === 'unrecognized_keys' ? 'has unknown members' : issue?.message;
  throw notCommand(issue?.path.join('.') ?? '', what ?? 'unreadable');
};

const notCommand = (where: string, what: string) =>
  new Error(`not a command of this function: ${where}: ${what}`);
