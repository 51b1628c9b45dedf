import { isOperatorEvent } from '../../layers/platform/http/event.ts';
import { served } from '../wiring/environment.ts';
import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { type OAuthOptions, wireOAuth } from './wiring.ts';
import { operatorCommands } from '../../layers/oauth/routes/operator.ts';
import { server } from '../../layers/oauth/routes/server.ts';

/**
 * The authorization server in a given environment; the local run passes options of its own. Events
 * are the gateway's, or an operator's commands.
 */
export const start = (
  environment: Readonly<Record<string, string | undefined>>,
  options?: OAuthOptions,
) => {
  const ports = wireOAuth(environment, options);
  const http = served(server, ports);
  const operator = operatorCommands(ports);
  return (event: Parameters<typeof http>[0], context?: InvocationContext) =>
    ports.timeLeft.within(context, () =>
      isOperatorEvent(event) ? operator(event, context) : http(event),
    );
};

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
