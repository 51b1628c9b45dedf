import { served } from '../wiring/environment.ts';
import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { wireMails } from './wiring.ts';
import { server } from '../../layers/accounts/mails/server.ts';

export const start = (environment: Readonly<Record<string, string | undefined>>) => {
  const ports = wireMails(environment);
  const answer = served(server, ports);
  return (event: unknown, context?: InvocationContext) =>
    ports.timeLeft.within(context, () => answer(event));
};

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
