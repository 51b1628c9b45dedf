import { member } from '../platform/rules/json/json.ts';
import { isOperatorEvent } from '../platform/http/event.ts';
import type * as z from 'zod';
import { ApiRefusal } from '../platform/rules/refusal/api-refusal.ts';
import type { EventsPorts } from '../events/ports.ts';
import type { ServiceEvent } from '../events/rules/service-event.ts';

/** One thing an operator may ask of a function: how its event is read, and what is done. */
export interface OperatorCommand {
  /** @returns what it is done to, and does it */
  read(sent: unknown): { readonly target: string; run(): Promise<object> };
}

/**
 * @param schema - reads the event without its `operator` and `claimedActor`
 * @param target - whom or what the command is about, for the record of it: nothing that is secret
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

/** The target of what concerns everybody. */
export const theService = (): string => 'the service';

interface Invocation {
  readonly awsRequestId?: string | undefined;
}

type OperatedPorts = Pick<EventsPorts, 'events' | 'log' | 'timeLeft'>;

type Trace = Extract<ServiceEvent, { readonly type: 'operator_command' }>;

/**
 * What operators (whoever IAM lets invoke a function) send directly, each command by its name in
 * `operator`. Each leaves a security event, which is a line of the log as well, whatever becomes of it.
 *
 * @returns the command's answer with `ok: true`, or `{ok: false, code, description, findings}` for a refusal
 * @throws Error for an event that is no command, and whatever is no refusal
 *
 * Source: docs/decisions/accounts.md, "Operators leave traces".
 */
export const operated =
  (ports: OperatedPorts, commands: Readonly<Record<string, OperatorCommand>>) =>
  async (event: unknown, { awsRequestId }: Invocation = {}): Promise<object> => {
    const { operator, claimedActor, ...sent } = isOperatorEvent(event)
      ? event
      : { operator: undefined };
    const name =
      typeof operator === 'string' && Object.hasOwn(commands, operator) ? operator : undefined;
    let trace: Trace = {
      type: 'operator_command',
      // Those of one day are one partition of the table: one query reads them.
      subject: 'operators',
      // Names that are none may be anything, a secret too.
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
      // The trace is left before Lambda ends what takes too long.
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

/** What was done is done, and the log has the event in any case. */
const lost = ({ log }: OperatedPorts, awsRequestId: string | undefined): void =>
  log.write({ message: 'events_lost', level: 'error', request_id: awsRequestId });

/** ARNs of users and roles, and the service principals of AWS. */
const ACTOR =
  /^(?:arn:aws[a-z-]*:(?:iam|sts)::\d{12}:[\w+=,.@/:-]{1,512}|[a-z]{1,64}\.amazonaws\.com)$/;

/** Whoever may invoke a function may send anything: what is no name of somebody at AWS is not repeated. */
const arnIn = (claimed: unknown): string | undefined =>
  typeof claimed === 'string' && ACTOR.test(claimed) ? claimed : undefined;

const readable = <Value>(read: z.ZodSafeParseResult<Value>): Value => {
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  // Lambda logs the message: names of members that nobody knows are anything.
  const what = issue?.code === 'unrecognized_keys' ? 'has unknown members' : issue?.message;
  throw notCommand(issue?.path.join('.') ?? '', what ?? 'unreadable');
};

const notCommand = (where: string, what: string) =>
  new Error(`not a command of this function: ${where}: ${what}`);
