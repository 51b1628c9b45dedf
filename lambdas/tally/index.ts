import { atFirstEvent } from '../wiring/handler.ts';
import type { Environment } from '../wiring/environment.ts';
import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { server } from '../../layers/activity/routes/tally.ts';
import { wireTally } from './wiring.ts';

interface Invocation extends InvocationContext {
  /** The ARN ends in the alias that was invoked. */
  readonly invokedFunctionArn?: string;
}

export const start = (environment: Environment) => {
  const ports = wireTally(environment);
  const requests = new Map<string, ReturnType<typeof ports.tallyRequestsTo>>();
  /** Reuses one client for all runs of an instance: a new one would open connections each minute. */
  const requestsTo = (name: string) => {
    const known = requests.get(name) ?? ports.tallyRequestsTo(name);
    requests.set(name, known);
    return known;
  };
  return (event: unknown, context?: Invocation) => {
    // The alias comes from the invocation: no variable can name it, since it is made from the function.
    const tallyRequests = requestsTo(context?.invokedFunctionArn ?? 'tally:live');
    const answer = server({ ...ports, tallyRequests });
    return ports.timeLeft.within(context, () => answer(event, context));
  };
};

export const handler = atFirstEvent(start);
