import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { type ConsoleOptions, wireConsole } from './wiring.ts';
import { readAssets } from '../../layers/console/assets.ts';
import { server } from '../../layers/console/server.ts';

/** The console in a given environment; the local run passes options of its own. */
export const start = (
  environment: Readonly<Record<string, string | undefined>>,
  options?: ConsoleOptions,
) => {
  const { ports, modelHosts } = wireConsole(environment, options);
  const http = server(ports, readAssets(), modelHosts);
  return (event: Parameters<typeof http>[0], context?: InvocationContext) =>
    ports.timeLeft.within(context, () => http(event));
};

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
