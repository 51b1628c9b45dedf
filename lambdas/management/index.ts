import { atFirstEvent, inItsTime } from '../wiring/handler.ts';
import { isCareEvent, isOperatorEvent } from '../../layers/platform/http/event.ts';
import { type Environment, served } from '../wiring/environment.ts';
import { type ManagementOptions, wireManagement } from './wiring.ts';
import { careOf } from '../../layers/management/routes/care.ts';
import { operatorCommands } from '../../layers/management/routes/operator.ts';
import { routesOf, server } from '../../layers/management/routes/server.ts';

/** Events are the gateway's, an operator's commands, or requests of maintenance to take care of a deployment. */
export const start = (environment: Environment, options?: ManagementOptions) => {
  const ports = wireManagement(environment, options);
  const http = served(server, ports);
  const operator = operatorCommands(ports, routesOf(ports));
  const care = careOf(ports);
  return inItsTime(ports, async (event: Parameters<typeof http>[0], context) => {
    if (isCareEvent(event)) return care(event);
    return isOperatorEvent(event) ? operator(event, context) : http(event);
  });
};

export const handler = atFirstEvent(start);
