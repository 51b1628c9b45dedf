import { atFirstEvent, inItsTime } from '../wiring/handler.ts';
import type { Environment } from '../wiring/environment.ts';
import { type ConsoleOptions, wireConsole } from './wiring.ts';
import { readAssets } from '../../layers/console/assets.ts';
import { server } from '../../layers/console/server.ts';

export const start = (environment: Environment, options?: ConsoleOptions) => {
  const { ports, modelHosts } = wireConsole(environment, options);
  return inItsTime(ports, server(ports, readAssets(), modelHosts));
};

export const handler = atFirstEvent(start);
