import { atFirstEvent, inItsTime } from '../wiring/handler.ts';
import { isOperatorEvent } from '../../layers/platform/http/event.ts';
import { type Environment, served } from '../wiring/environment.ts';
import { type RouterOptions, wireRouter } from './wiring.ts';
import { operatorCommands } from '../../layers/mcp/routes/operator.ts';
import { server } from '../../layers/mcp/routes/server.ts';

export const start = (environment: Environment, options?: RouterOptions) => {
  const ports = wireRouter(environment, options);
  const http = served(server, ports);
  const operator = operatorCommands(ports);
  return inItsTime(ports, (event: Parameters<typeof http>[0]) =>
    isOperatorEvent(event) ? operator(event) : http(event),
  );
};

export const handler = atFirstEvent(start);
