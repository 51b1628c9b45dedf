import type { InvocationContext, InvocationTime } from '../../layers/platform/system/clock.ts';
import type { Environment } from './environment.ts';

type Handler<Event, Context, Answer> = (event: Event, context?: Context) => Answer;

/** Starts the function at its first event, once for all events of an instance. */
export const atFirstEvent = <Event, Context, Answer>(
  start: (environment: Environment) => Handler<Event, Context, Answer>,
): Handler<Event, Context, Answer> => {
  let running: Handler<Event, Context, Answer> | undefined;
  return (event, context) => (running ??= start(process.env))(event, context);
};

/** Work that an event began ends together with its invocation. */
export const inItsTime =
  <Event, Answer>(
    { timeLeft }: { readonly timeLeft: InvocationTime },
    answer: (event: Event, context?: InvocationContext) => Promise<Answer>,
  ): Handler<Event, InvocationContext, Promise<Answer>> =>
  (event, context) =>
    timeLeft.within(context, () => answer(event, context));
