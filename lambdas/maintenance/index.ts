import { wireMaintenance } from './wiring.ts';
import { server } from '../../layers/maintenance/routes/server.ts';

export const start = (environment: Readonly<Record<string, string | undefined>>) =>
  server(wireMaintenance(environment));

let running: ReturnType<typeof start> | undefined;

export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
