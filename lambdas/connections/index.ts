import { atFirstEvent, inItsTime } from '../wiring/handler.ts';
import type { Environment } from '../wiring/environment.ts';
import { type ConnectionsOptions, wireConnections } from './wiring.ts';
import { server } from '../../layers/connections/routes/server.ts';

export const start = (environment: Environment, options?: ConnectionsOptions) => {
  const ports = wireConnections(environment, options);
  return inItsTime(ports, server(ports));
};

export const handler = atFirstEvent(start);
