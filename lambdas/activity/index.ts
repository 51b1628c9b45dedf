import { atFirstEvent, inItsTime } from '../wiring/handler.ts';
import type { Environment } from '../wiring/environment.ts';
import { wireActivity } from './wiring.ts';
import { server } from '../../layers/activity/routes/server.ts';

export const start = (environment: Environment) => {
  const ports = wireActivity(environment);
  return inItsTime(ports, server(ports));
};

export const handler = atFirstEvent(start);
