import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { type ConnectionsOptions, wireConnections } from './wiring.ts';
import { server } from '../../layers/connections/routes/server.ts';

/** The function that asks others for tokens, in a given environment; the local run passes options of its own. */
export const start = (
  environment: Readonly<Record<string, string | undefined>>,
  options?: ConnectionsOptions,
) => {
  const ports = wireConnections(environment, options);
  const answer = server(ports);
  return (event: unknown, context?: InvocationContext) =>
    ports.timeLeft.within(context, () => answer(event));
};

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
