import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { type IdentityOptions, wireIdentity } from './wiring.ts';
import { server } from '../../layers/identity/routes/server.ts';

/** The function that redeems codes of identity providers, in a given environment; the local run passes options of its own. */
export const start = (
  environment: Readonly<Record<string, string | undefined>>,
  options?: IdentityOptions,
) => {
  const ports = wireIdentity(environment, options);
  const answer = server(ports);
  return (event: unknown, context?: InvocationContext) =>
    ports.timeLeft.within(context, () => answer(event, context));
};

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
