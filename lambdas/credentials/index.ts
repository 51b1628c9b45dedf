import { atFirstEvent, inItsTime } from '../wiring/handler.ts';
import type { Environment } from '../wiring/environment.ts';
import { wireCredentials } from './wiring.ts';
import { server } from '../../layers/credentials/routes/server.ts';

export const start = (environment: Environment) => {
  const ports = wireCredentials(environment);
  return inItsTime(ports, server(ports));
};

export const handler = atFirstEvent(start);
