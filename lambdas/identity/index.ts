import { atFirstEvent, inItsTime } from '../wiring/handler.ts';
import type { Environment } from '../wiring/environment.ts';
import { type IdentityOptions, wireIdentity } from './wiring.ts';
import { server } from '../../layers/identity/routes/server.ts';

export const start = (environment: Environment, options?: IdentityOptions) => {
  const ports = wireIdentity(environment, options);
  return inItsTime(ports, server(ports));
};

export const handler = atFirstEvent(start);
