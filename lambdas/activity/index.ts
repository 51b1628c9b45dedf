import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { wireActivity } from './wiring.ts';
import { server } from '../../layers/activity/routes/server.ts';

export const start = (environment: Readonly<Record<string, string | undefined>>) => {
  const ports = wireActivity(environment);
  const answer = server(ports);
  return (event: unknown, context?: InvocationContext) =>
    ports.timeLeft.within(context, () => answer(event));
};

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
