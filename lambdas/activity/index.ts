import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { wireActivity } from './wiring.ts';
import { server } from '../../layers/activity/routes/server.ts';

/** The store of calls in a given environment. */
export const start = (environment: Readonly<Record<string, string | undefined>>) => {
  const ports = wireActivity(environment);
  const answer = server(ports);
  return (event: unknown, context?: InvocationContext) =>
    ports.timeLeft.within(context, () => answer(event));
};

let running: ReturnType<typeof start> | undefined;

/** The entry point on AWS. */
export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
