import { atFirstEvent, inItsTime } from '../wiring/handler.ts';
import { type Environment, served } from '../wiring/environment.ts';
import { wireMails } from './wiring.ts';
import { server } from '../../layers/accounts/mails/server.ts';

export const start = (environment: Environment) => {
  const ports = wireMails(environment);
  return inItsTime(ports, served(server, ports));
};

export const handler = atFirstEvent(start);
