import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { wireCredentials } from './wiring.ts';
import { server } from '../../layers/credentials/routes/server.ts';

export const start = (environment: Readonly<Record<string, string | undefined>>) => {
  const ports = wireCredentials(environment);
  const answer = server(ports);
  return (event: unknown, context?: InvocationContext) =>
    ports.timeLeft.within(context, () => answer(event));
};

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
