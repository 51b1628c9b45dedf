import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { server } from '../../layers/activity/routes/tally.ts';
import { wireTally } from './wiring.ts';

interface Invocation extends InvocationContext {
  /** With the alias that it was invoked by. */
  readonly invokedFunctionArn?: string;
}

export const start = (environment: Readonly<Record<string, string | undefined>>) => {
  const ports = wireTally(environment);
  return (event: unknown, context?: Invocation) => {
    // Its own name: no variable can tell a function of its alias, which is made of it.
    const tallyRequests = ports.tallyRequestsTo(context?.invokedFunctionArn ?? 'tally:live');
    const answer = server({ ...ports, tallyRequests });
    return ports.timeLeft.within(context, () => answer(event, context));
  };
};

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
