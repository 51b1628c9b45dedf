import { wireMaintenance } from './wiring.ts';
import { server } from '../../layers/maintenance/routes/server.ts';

/** The maintenance function in a given environment. */
export const start = (environment: Readonly<Record<string, string | undefined>>) =>
  server(wireMaintenance(environment));

let running: ReturnType<typeof start> | undefined;

/** The entry point on AWS. */
export const handler: ReturnType<typeof start> = (event, context) =>
  (running ??= start(process.env))(event, context);
