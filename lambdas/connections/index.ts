import { atFirstEvent, inItsTime } from '../wiring/handler.ts';
import type { Environment } from '../wiring/environment.ts';
import { type ConnectionsOptions, wireConnections } from './wiring.ts';
import { server } from '../../layers/connections/routes/server.ts';

/** The function that asks others for tokens, in a given environment; the local run passes options of its own. */
export const start = (environment: Environment, options?: ConnectionsOptions) => {
  const ports = wireConnections(environment, options);
  return inItsTime(ports, server(ports));
};

export const handler = atFirstEvent(start);
