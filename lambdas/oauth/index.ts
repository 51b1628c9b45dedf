import { atFirstEvent, inItsTime } from '../wiring/handler.ts';
import { isOperatorEvent } from '../../layers/platform/http/event.ts';
import { type Environment, served } from '../wiring/environment.ts';
import { type OAuthOptions, wireOAuth } from './wiring.ts';
import { operatorCommands } from '../../layers/oauth/routes/operator.ts';
import { server } from '../../layers/oauth/routes/server.ts';

/** Events are the gateway's, or an operator's commands. */
export const start = (environment: Environment, options?: OAuthOptions) => {
  const ports = wireOAuth(environment, options);
  const http = served(server, ports);
  const operator = operatorCommands(ports);
  return inItsTime(ports, (event: Parameters<typeof http>[0], context) =>
    isOperatorEvent(event) ? operator(event, context) : http(event),
  );
};

export const handler = atFirstEvent(start);
