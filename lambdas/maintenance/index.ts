import { atFirstEvent } from '../wiring/handler.ts';
import type { Environment } from '../wiring/environment.ts';
import { wireMaintenance } from './wiring.ts';
import { server } from '../../layers/maintenance/routes/server.ts';

export const start = (environment: Environment) => server(wireMaintenance(environment));

export const handler = atFirstEvent(start);
