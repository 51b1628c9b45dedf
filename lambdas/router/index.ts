import { isOperatorEvent } from '../../layers/platform/http/event.ts';
import { served } from '../wiring/environment.ts';
import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { type RouterOptions, wireRouter } from './wiring.ts';
import { operatorCommands } from '../../layers/mcp/routes/operator.ts';
import { server } from '../../layers/mcp/routes/server.ts';

/** The router function in a given environment; the local run passes options of its own. */
export const start = (
  environment: Readonly<Record<string, string | undefined>>,
  options?: RouterOptions,
) => {
  const ports = wireRouter(environment, options);
  const http = served(server, ports);
  const operator = operatorCommands(ports);
  return (event: Parameters<typeof http>[0], context?: InvocationContext) =>
    ports.timeLeft.within(context, () => (isOperatorEvent(event) ? operator(event) : http(event)));
};

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
