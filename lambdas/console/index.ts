import type { InvocationContext } from '../../layers/platform/system/clock.ts';
import { wireConsole } from './wiring.ts';
import { readAssets } from '../../layers/console/assets.ts';
import { server } from '../../layers/console/server.ts';

/** The console in a given environment, of which it needs nothing. */
export const start = () => {
  const ports = wireConsole();
  const http = server(ports, readAssets());
  return (event: Parameters<typeof http>[0], context?: InvocationContext) =>
    ports.timeLeft.within(context, () => http(event));
};

let running: ReturnType<typeof start> | undefined;

/** The entry point on AWS. */
export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start())(event, context);
