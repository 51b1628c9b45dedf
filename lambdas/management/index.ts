import { isCareEvent, isOperatorEvent } from '../../layers/platform/http/event.ts';
import { served } from '../wiring/environment.ts';
import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { type ManagementOptions, wireManagement } from './wiring.ts';
import { careOf } from '../../layers/management/routes/care.ts';
import { operatorCommands } from '../../layers/management/routes/operator.ts';
import { routesOf, server } from '../../layers/management/routes/server.ts';

/**
 * The management function in a given environment; the local run passes options of its own. Events are
 * the gateway's, an operator's commands, or requests of maintenance to take care of a deployment.
 */
export const start = (
  environment: Readonly<Record<string, string | undefined>>,
  options?: ManagementOptions,
) => {
  const ports = wireManagement(environment, options);
  const http = served(server, ports);
  const operator = operatorCommands(ports, routesOf(ports));
  const care = careOf(ports);
  return (event: Parameters<typeof http>[0], context?: InvocationContext) =>
    ports.timeLeft.within(context, async () => {
      if (isCareEvent(event)) return care(event);
      return isOperatorEvent(event) ? operator(event, context) : http(event);
    });
};

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
